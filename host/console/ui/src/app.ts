import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { VNode } from "preact";
import { Fault, get, logout } from "./api.ts";
import { Ask, type Question } from "./ask.ts";
import { Boards } from "./boards.ts";
import { Charts } from "./charts.ts";
import { duration } from "./format.ts";
import { Clients, LogTail, Regions, Settings } from "./lists.ts";
import { Live } from "./live.ts";
import { Login } from "./login.ts";
import { FloorMap } from "./map.ts";
import { Rules } from "./rules.ts";
import type { Venue } from "./types.ts";
import { useLive } from "./ui.ts";

/** The whole page: the login until there is a session, then the console. */
export function App(): VNode {
  const [venue, setVenue] = useState<Venue>();
  const [state, setState] = useState<"starting" | "out" | "over" | "in" | "failed">("starting");
  const [fault, setFault] = useState("");
  const enter = async (): Promise<void> => {
    try {
      setVenue(await get<Venue>("/venue"));
      setState("in");
    } catch (e) {
      if (e instanceof Fault && e.status === 401) {
        setState("out");
        return;
      }
      setFault(e instanceof Fault ? e.message : String(e));
      setState("failed");
    }
  };
  useEffect(() => void enter(), []);
  useEffect(() => {
    if (state !== "failed") return;
    const timer = setTimeout(() => void enter(), 3000);
    return () => clearTimeout(timer);
  });
  if (state === "in" && venue) return html`<${Console} venue=${venue} leave=${(over: boolean) => setState(over ? "over" : "out")} />` as VNode;
  if (state === "out" || state === "over") return html`<${Login} over=${state === "over"} entered=${() => void enter()} />` as VNode;
  return html`<main class="login"><p role="status">${state === "failed" ? fault : "Loading…"}</p></main>` as VNode;
}

const TABS = { floor: "Floor", clients: "Clients", regions: "Regions", rules: "Rules", boards: "Boards", log: "Log", settings: "Settings" } as const;
type Tab = keyof typeof TABS;

function tabOfHash(): Tab {
  const name = location.hash.slice(1);
  return name in TABS ? (name as Tab) : "floor";
}

function Console({ venue, leave }: { venue: Venue; leave: (over: boolean) => void }): VNode {
  const [live] = useState(() => new Live(() => leave(true)));
  const [tab, setTab] = useState<Tab>(tabOfHash);
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    live.start();
    return () => live.stop();
  }, [live]);
  useEffect(() => {
    const changed = (): void => setTab(tabOfHash());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const out = async (): Promise<void> => {
    live.stop();
    try {
      await logout();
    } finally {
      leave(false);
    }
  };
  return html`<div class="console">
    <header class="top">
      <h1>${venue.name} <span class="muted">${venue.id}</span></h1>
      <nav>${Object.entries(TABS).map(([t, label]) => html`<a href=${`#${t}`} aria-current=${t === tab ? "page" : undefined}>${label}</a>`)}</nav>
      <${Status} live=${live} venue=${venue} />
      <button type="button" class="small" onClick=${out}>Log out</button>
    </header>
    <main>
      ${tab === "floor" && html`<div class="floor"><${FloorMap} live=${live} venue=${venue} ask=${setQuestion} /><${Charts} live=${live} /></div>`}
      ${tab === "clients" && html`<${Clients} ask=${setQuestion} />`}
      ${tab === "regions" && html`<${Regions} />`}
      ${tab === "rules" && html`<${Rules} ask=${setQuestion} />`}
      ${tab === "boards" && html`<${Boards} />`}
      ${tab === "log" && html`<${LogTail} live=${live} />`}
      ${tab === "settings" && html`<${Settings} />`}
    </main>
    ${question && html`<${Ask} question=${question} close=${() => setQuestion(undefined)} />`}
  </div>` as VNode;
}

const LINKS = { connecting: "connecting…", open: "live", lost: "connection lost, trying again…" } as const;

function Status({ live, venue }: { live: Live; venue: Venue }): VNode {
  useLive(live, "link");
  useLive(live, "sample");
  const newest = live.samples.at(-1);
  const started = Date.parse(venue.started);
  return html`<p class="status" role="status">
    <span class=${`dot ${live.link}`}></span>${LINKS[live.link]}
    <span class="muted">${newest ? `${newest.users} of ${venue.users_limit} visitors` : ""}</span>
    <span class="muted" title=${`version ${venue.version}`}>up ${duration(Date.now() - started)}</span>
  </p>` as VNode;
}
