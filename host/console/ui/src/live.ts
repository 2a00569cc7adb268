import { Fault, get, LIVE } from "./api.ts";
import { FloorModel } from "./model.ts";
import type { LogLine, MapChange, MapState, Sample } from "./types.ts";

/** How a live stream does. */
export type Link = "connecting" | "open" | "lost";

const KEPT_SAMPLES = 600;
const KEPT_LINES = 500;
const RETRY_MS = [500, 1000, 2000, 4000, 8000] as const;

/** What happens in the venue, as the server tells it. Listeners are called after each change of what they asked for. */
export class Live {
  readonly floor = new FloorModel();
  samples: Sample[] = [];
  lines: LogLine[] = [];
  link: Link = "connecting";

  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #listeners = new Map<string, Set<() => void>>();
  #loggedOut: () => void;

  /** loggedOut is called when the session is over. */
  constructor(loggedOut: () => void) {
    this.#loggedOut = loggedOut;
  }

  /** Calls a function after each change of "map", "sample", "log" or "link"; returns what ends that. */
  on(what: "map" | "sample" | "log" | "link", f: () => void): () => void {
    const set = this.#listeners.get(what) ?? new Set();
    this.#listeners.set(what, set);
    set.add(f);
    return () => set.delete(f);
  }

  /** Begins, and comes back by itself until {@link stop}. */
  start(): void {
    const source = new EventSource(LIVE);
    this.#source = source;
    source.onopen = () => {
      this.#tries = 0;
      this.samples = [];
      this.lines = [];
      this.#setLink("open");
      void this.#catchUp();
    };
    source.onerror = () => this.#again();
    const take = <T>(name: string, f: (v: T) => void) =>
      source.addEventListener(name, (e) => f(JSON.parse((e as MessageEvent<string>).data) as T));
    take<MapState>("map", (m) => { this.floor.set(m, performance.now()); this.#tell("map"); });
    take<MapChange>("change", (c) => { this.floor.change(c, performance.now()); this.#tell("map"); });
    take<Sample>("sample", (s) => this.#addSamples([s]));
    take<LogLine>("log", (l) => this.#addLines([l]));
  }

  /** Ends the stream. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #again(): void {
    this.#source?.close();
    this.#setLink("lost");
    const wait = RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]!;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#retry(), wait);
  }

  // An EventSource does not tell why it was refused: an ordinary request does.
  async #retry(): Promise<void> {
    try {
      await get("/regions");
    } catch (e) {
      if (e instanceof Fault && e.status === 401) {
        this.stop();
        this.#loggedOut();
        return;
      }
    }
    if (this.#source) this.start();
  }

  // What was before the stream goes before what it has brought meanwhile.
  async #catchUp(): Promise<void> {
    try {
      const [series, log] = await Promise.all([
        get<{ samples: Sample[] }>("/series"),
        get<{ lines: LogLine[] }>("/log"),
      ]);
      const { samples, lines } = this;
      this.samples = [];
      this.lines = [];
      this.#addSamples([...series.samples, ...samples]);
      this.#addLines([...log.lines, ...lines]);
    } catch {
      // The stream brings what is new; the next connection tries again.
    }
  }

  #addSamples(list: Sample[]): void {
    for (const s of list) {
      if (s.time > (this.samples.at(-1)?.time ?? 0)) this.samples = [...this.samples, s].slice(-KEPT_SAMPLES);
    }
    this.#tell("sample");
  }

  #addLines(list: LogLine[]): void {
    this.lines = mergeLines(this.lines, list).slice(-KEPT_LINES);
    this.#tell("log");
  }

  #setLink(link: Link): void {
    if (this.link === link) return;
    this.link = link;
    this.#tell("link");
  }

  #tell(what: string): void {
    for (const f of this.#listeners.get(what) ?? []) f();
  }
}

/** Puts new lines to those that are there: each once, in order. Numbers that begin again are of a server that was restarted. */
export function mergeLines(have: LogLine[], more: LogLine[]): LogLine[] {
  let out = have;
  for (const l of more) {
    const last = out.at(-1);
    if (!last || l.n > last.n) out = [...out, l];
    else if (l.time > last.time) out = [l];
  }
  return out;
}
