import { html } from "htm/preact";
import { useMemo, useRef, useState, useEffect } from "preact/hooks";
import type { VNode } from "preact";
import type { Question } from "./ask.ts";
import { bytesPerSecond, clock, count, duration, micros, percent } from "./format.ts";
import type { Live } from "./live.ts";
import { type Column, Table } from "./table.ts";
import type { Client, LogLine, Region, Setting } from "./types.ts";
import { useLive, usePoll } from "./ui.ts";

/** Asks the operator before an action. */
export type Asker = (q: Question) => void;

/** What to ask before a client is kicked. */
export function kickQuestion(session: string, name: string, done?: () => void): Question {
  return {
    title: `End the visit of ${name}?`, verb: "End the visit", path: `/clients/${session}/kick`, message: "What the visitor reads (optional)",
    text: "The connection is closed and what the visitor holds is dropped. With another join token the visitor can come back.",
    ...(done ? { done } : {}),
  };
}

/** What to ask before an object is put back. */
export function resetQuestion(name: string): Question {
  return {
    title: `Put ${name} back?`, verb: "Put it back", path: `/objects/${encodeURIComponent(name)}/reset`,
    text: "It goes to its place and state in the manifest, out of the hand that holds it.",
  };
}

/** What went wrong, if anything. */
export function Fault({ text }: { text: string }): VNode | null {
  return text ? (html`<p class="answer bad" role="alert">${text}</p>` as VNode) : null;
}

/** Everybody who is connected. */
export function Clients({ ask }: { ask: Asker }): VNode {
  const { data, fault, refresh } = usePoll<{ clients: Client[] }>("/clients", 1000);
  const columns: Column<Client>[] = [
    { title: "Name", key: (c) => c.name || c.user, cell: (c) => html`${c.name || c.user}${c.load && html` <span class="tag">load</span>`}` as VNode },
    { title: "User", key: (c) => c.user, cell: (c) => c.user },
    { title: "State", key: (c) => (c.connected ? (c.throttled ? 1 : 0) : 2), cell: (c) => (c.connected ? (c.throttled ? "half rate" : "connected") : "connection lost") },
    { title: "Lane", key: (c) => c.lane, cell: (c) => c.lane || "–" },
    { title: "Region", key: (c) => c.region, cell: (c) => c.region },
    { title: "Round trip", number: true, key: (c) => c.round_trip_ms, cell: (c) => (c.round_trip_ms ? `${c.round_trip_ms.toFixed(c.round_trip_ms < 10 ? 1 : 0)} ms` : "–") },
    { title: "Loss", number: true, key: (c) => c.loss, cell: (c) => percent(c.loss) },
    { title: "Up", number: true, key: (c) => c.up_hz, cell: (c) => `${c.up_hz.toFixed(0)} Hz` },
    { title: "Down", number: true, key: (c) => c.down_hz, cell: (c) => `${c.down_hz.toFixed(0)} Hz` },
    { title: "Traffic", number: true, key: (c) => c.up_bytes_s + c.down_bytes_s, cell: (c) => bytesPerSecond(c.up_bytes_s + c.down_bytes_s) },
    { title: "Here for", number: true, key: (c) => -Date.parse(c.since), cell: (c) => duration(Date.now() - Date.parse(c.since)) },
    { title: "", cell: (c) => html`<button type="button" class="small danger" onClick=${() => ask(kickQuestion(c.session, c.name || c.user, refresh))}>Kick…</button>` as VNode },
  ];
  return html`<section class="panel"><h2>Clients <span class="muted">${data ? data.clients.length : ""}</span></h2><${Fault} text=${fault} />
    <${Table} columns=${columns} rows=${data?.clients ?? []} id=${(c: Client) => c.session} empty=${data ? "Nobody is here." : "Loading…"}
      tone=${(c: Client) => (c.connected ? "" : "dim")} /></section>` as VNode;
}

/** The regions. */
export function Regions(): VNode {
  const regions = usePoll<{ regions: Region[] }>("/regions", 1000);
  const regionColumns: Column<Region>[] = [
    { title: "Region", key: (r) => r.name, cell: (r) => r.name },
    { title: "State", key: (r) => r.state, cell: (r) => html`<span class=${r.state === "running" ? "good" : "bad"}>${r.state}</span>${r.why && html` <span class="muted">${r.why}</span>`}` as VNode },
    { title: "People", number: true, key: (r) => r.users, cell: (r) => count(r.users) },
    { title: "Objects", number: true, key: (r) => r.objects, cell: (r) => count(r.objects) },
    { title: "Tick", number: true, key: (r) => r.tick, cell: (r) => count(r.tick) },
    { title: "Not yet durable", number: true, key: (r) => r.tick - r.durable_tick, cell: (r) => `${r.tick - r.durable_tick} ticks` },
    { title: "Tick, mean", number: true, key: (r) => r.tick_mean_us, cell: (r) => micros(r.tick_mean_us) },
    { title: "p99", number: true, key: (r) => r.tick_p99_us, cell: (r) => micros(r.tick_p99_us) },
    { title: "Restarts", number: true, key: (r) => r.restarts, cell: (r) => count(r.restarts) },
    { title: "Waits for store", number: true, key: (r) => r.backlog, cell: (r) => html`${count(r.backlog)}${r.store_fault && html` <span class="bad">${r.store_fault}</span>`}` as VNode },
  ];
  return html`<section class="panel"><h2>Regions</h2><${Fault} text=${regions.fault} />
      <${Table} columns=${regionColumns} rows=${regions.data?.regions ?? []} id=${(r: Region) => r.name} empty="Loading…" /></section>` as VNode;
}

/** The configuration in force. */
export function Settings(): VNode {
  const { data, fault } = usePoll<{ settings: Setting[] }>("/settings", 60_000);
  const columns: Column<Setting>[] = [
    { title: "Key", key: (s) => s.key, cell: (s) => html`<code>${s.key}</code>` as VNode },
    { title: "Value", cell: (s) => (s.secret ? html`<span class="muted">hidden</span>` as VNode : html`<code>${s.value}</code>` as VNode) },
  ];
  return html`<section class="panel"><h2>Settings in force</h2><${Fault} text=${fault} />
    <${Table} columns=${columns} rows=${data?.settings ?? []} id=${(s: Setting) => s.key} order=${{ column: 1, down: false }} empty="Loading…" /></section>` as VNode;
}

const LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"] as const;

/** Whether a line is of a level or above. Levels between the named ones look like "INFO+2". */
export function atLeast(line: LogLine, level: string): boolean {
  return LEVELS.indexOf(line.level.split(/[+-]/)[0] as (typeof LEVELS)[number]) >= LEVELS.indexOf(level as (typeof LEVELS)[number]);
}

/** A line of the log. */
export function Line({ line: l }: { line: LogLine }): VNode {
  return html`<div class=${`line ${l.level.split(/[+-]/)[0]!.toLowerCase()}`}>
    <time>${clock(Date.parse(l.time) / 1000)}</time> <b>${l.level}</b> <span>${l.message}</span> <code>${l.fields}</code></div>` as VNode;
}

/** The newest lines of the log, live. */
export function LogTail({ live }: { live: Live }): VNode {
  useLive(live, "log");
  const [level, setLevel] = useState<string>("DEBUG");
  const [text, setText] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const follow = useRef(true);
  const lines = useMemo(() => {
    const needle = text.toLowerCase();
    return live.lines.filter((l) => atLeast(l, level) && (!needle || `${l.message} ${l.fields}`.toLowerCase().includes(needle)));
  }, [live.lines, level, text]);
  useEffect(() => {
    if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  const scrolled = (): void => {
    const b = box.current!;
    follow.current = b.scrollHeight - b.scrollTop - b.clientHeight < 24;
  };
  return html`<section class="panel log"><h2>Log</h2>
    <p class="filters">
      <label>From <select value=${level} onChange=${(e: Event) => setLevel((e.currentTarget as HTMLSelectElement).value)}>
        ${LEVELS.map((l) => html`<option value=${l}>${l.toLowerCase()}</option>`)}</select></label>
      <label>Containing <input type="search" value=${text} onInput=${(e: InputEvent) => setText((e.currentTarget as HTMLInputElement).value)} /></label>
      <span class="muted">${lines.length} of ${live.lines.length} lines</span>
    </p>
    <div class="lines" ref=${box} onScroll=${scrolled} tabindex="0">
      ${lines.map((l) => html`<${Line} key=${l.n} line=${l} />`)}
      ${lines.length === 0 && html`<div class="empty">No lines.</div>`}
    </div></section>` as VNode;
}
