import { useEffect, useRef, useState } from "preact/hooks";
import { get, Fault, ruleLog } from "./api.ts";
import { type Live, mergeLines } from "./live.ts";
import type { LogLine } from "./types.ts";

/** Draws a component again after each change of a part of the live state. */
export function useLive(live: Live, what: "map" | "sample" | "log" | "link"): void {
  const [, setN] = useState(0);
  useEffect(() => live.on(what, () => setN((n) => n + 1)), [live, what]);
}

/** What {@link usePoll} gives. */
export interface Polled<T> {
  /** The newest answer, undefined before the first. */
  data: T | undefined;
  /** Why the last try failed, "" when it did not. */
  fault: string;
  /** Asks at once. */
  refresh: () => void;
}

/** Reads something again and again while the page is visible, every so many milliseconds. */
export function usePoll<T>(path: string, everyMS: number): Polled<T> {
  const [data, setData] = useState<T>();
  const [fault, setFault] = useState("");
  const ask = useRef<() => void>(() => undefined);
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async (): Promise<void> => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        try {
          const v = await get<T>(path);
          if (gone) return;
          setData(v);
          setFault("");
        } catch (e) {
          if (gone) return;
          setFault(e instanceof Fault ? e.message : String(e));
        }
      }
      timer = setTimeout(() => void turn(), everyMS);
    };
    const shown = (): void => { if (document.visibilityState === "visible") void turn(); };
    ask.current = () => void turn();
    document.addEventListener("visibilitychange", shown);
    void turn();
    return () => {
      gone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [path, everyMS]);
  return { data, fault, refresh: () => ask.current() };
}

const KEPT_LINES = 200;

/** The newest log lines of a rule, live while it is shown. */
export function useRuleLog(name: string): LogLine[] {
  const [lines, setLines] = useState<LogLine[]>([]);
  useEffect(() => {
    setLines([]);
    const source = new EventSource(ruleLog(name)); // comes back by itself, with the kept lines
    source.addEventListener("log", (e) => {
      const line = JSON.parse((e as MessageEvent<string>).data) as LogLine;
      setLines((have) => mergeLines(have, [line]).slice(-KEPT_LINES));
    });
    return () => source.close();
  }, [name]);
  return lines;
}

/** Whether the system wants dark colours now. */
export function useDark(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return dark;
}

/** A colour of the style sheet, by its variable's name. */
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
