import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import { Fault as ApiFault, upload } from "./api.ts";
import type { Question } from "./ask.ts";
import { bytes, clock, count, micros } from "./format.ts";
import { type Asker, Fault, Line } from "./lists.ts";
import { type Column, Table } from "./table.ts";
import type { LogLine, Rule, RuleDetail, RuleFault, Rules as RuleList, RuleSwap, RuleVersion } from "./types.ts";
import { usePoll, useRuleLog } from "./ui.ts";

/** What rolling back would run, in words. */
export function previous(r: Rule, versions: RuleVersion[]): string {
  if (!r.previous) return "–";
  if (r.previous === "file") return "the venue file's";
  return versions.find((v) => v.digest === r.previous)?.version ?? r.previous.slice(0, 12);
}

/** What to ask before a version runs. */
export function activateQuestion(rule: string, v: RuleVersion, region: string, done: () => void): Question {
  const where = region ? `in region ${region}` : "in every region";
  const needs = v.needs.length > 0;
  return {
    title: `Run version ${v.version} of ${rule} ${where}?`, verb: needs ? "Approve and run it" : "Run it", path: `/rules/${encodeURIComponent(rule)}/activate`, done,
    body: { digest: v.digest, ...(region ? { regions: [region] } : {}), ...(needs ? { approve: true } : {}) },
    text: (needs ? `It wants more than what runs now: ${v.needs.join(", ")}. ` : "") +
      "It is swapped in between two ticks. What the rule has stored stays. When it fails in three ticks of its first minute, the region goes back by itself.",
  };
}

/** What to ask before regions go back. */
export function rollbackQuestion(rule: string, region: string, done: () => void): Question {
  return {
    title: `Roll ${rule} back ${region ? `in region ${region}` : "in every region"}?`, verb: "Roll back", path: `/rules/${encodeURIComponent(rule)}/rollback`, done,
    body: region ? { regions: [region] } : {},
    text: "What ran before the newest activation runs again from the next tick on. What the rule has stored stays. Once more is forward again.",
  };
}

function module(plugin: string, version: string, digest: string): VNode {
  return html`${plugin} ${version} <code title=${digest}>${digest.slice(0, 12)}</code>` as VNode;
}

/** The rules: what runs where, versions, swaps, faults, logs. */
export function Rules({ ask }: { ask: Asker }): VNode {
  const { data, fault, refresh } = usePoll<RuleList>("/rules", 1000);
  const [name, setName] = useState("");
  const names = [...new Set([...(data?.rules ?? []).map((r) => r.rule), ...(data?.names ?? []).map((n) => n.name)])];
  const shown = names.includes(name) ? name : (names[0] ?? "");
  const columns: Column<Rule>[] = [
    { title: "Rule", key: (r) => r.rule, cell: (r) => html`<button type="button" class="link" onClick=${() => setName(r.rule)}>${r.rule}</button>` as VNode },
    { title: "Region", key: (r) => r.region, cell: (r) => r.region },
    { title: "Module", key: (r) => r.version, cell: (r) => module(r.plugin, r.version, r.digest) },
    { title: "From", key: (r) => r.source, cell: (r) => (r.source === "upload" ? "upload" : "venue's file") },
    { title: "State", key: (r) => r.quarantined, cell: (r) => html`<span class=${r.quarantined || r.problem ? "bad" : "good"}>${r.quarantined ? "quarantine" : r.problem ? "replaced" : "running"}</span>${r.problem && html` <span class="muted">${r.problem}</span>`}` as VNode },
    { title: "Calls", number: true, key: (r) => r.calls, cell: (r) => count(r.calls) },
    { title: "Mean", number: true, key: (r) => r.call_mean_us, cell: (r) => (r.calls ? micros(r.call_mean_us) : "–") },
    { title: "p99", number: true, key: (r) => r.call_p99_us, cell: (r) => (r.calls ? micros(r.call_p99_us) : "–") },
    { title: "Faults", number: true, key: (r) => r.faults, cell: (r) => count(r.faults) },
    { title: "Last fault", cell: (r) => r.last_fault ?? "–" },
  ];
  return html`<section class="panel"><h2>Rules</h2><${Fault} text=${fault} />
      <${Table} columns=${columns} rows=${data?.rules ?? []} id=${(r: Rule) => `${r.rule}/${r.region}`} empty=${data ? "The venue has no rules." : "Loading…"} /></section>
    ${shown && html`<section class="panel"><h2>Look at <select aria-label="Rule" value=${shown} onChange=${(e: Event) => setName((e.currentTarget as HTMLSelectElement).value)}>
      ${names.map((n) => html`<option value=${n}>${n}</option>`)}</select></h2>
      <${Detail} key=${shown} name=${shown} ask=${ask} changed=${refresh} /></section>`}
    ${shown && data?.rules.some((r) => r.rule === shown) && html`<${History} key=${`${shown}/history`} name=${shown} />`}` as VNode;
}

function Detail({ name, ask, changed }: { name: string; ask: Asker; changed: () => void }): VNode {
  const path = `/rules/${encodeURIComponent(name)}`;
  const { data, fault, refresh } = usePoll<RuleDetail>(path, 2000);
  const [region, setRegion] = useState("");
  const done = (): void => { refresh(); changed(); };
  const reload = (): Question => ({
    title: `Load rule ${name} again?`, verb: "Load it", path: `${path}/reload`, done,
    text: "The module of the venue's file is read and compiled anew, and swapped in between two ticks, in every region. What it has stored stays, quarantine ends. If it cannot be loaded, the running one goes on.",
  });
  const versions = data?.versions ?? [];
  const columns: Column<RuleVersion>[] = [
    { title: "Version", key: (v) => -Date.parse(v.uploaded), cell: (v) => module(v.plugin, v.version, v.digest) },
    { title: "Uploaded", key: (v) => v.uploaded, cell: (v) => new Date(v.uploaded).toLocaleString() },
    { title: "By", key: (v) => v.by, cell: (v) => html`${v.by}${v.signed_by && html` <code title="key that signed it">${v.signed_by}</code>`}` as VNode },
    { title: "Size", number: true, key: (v) => v.size_bytes, cell: (v) => bytes(v.size_bytes) },
    { title: "May", cell: (v) => [...v.commands, ...v.views.map((w) => `see ${w}`)].join(", ") || "–" },
    { title: "Runs in", key: (v) => v.regions.length, cell: (v) => v.regions.join(", ") || "–" },
    { title: "", cell: (v) => (data?.in_venue ? html`<button type="button" class="small" onClick=${() => ask(activateQuestion(name, v, region, done))}>${v.needs.length ? "Approve…" : "Activate…"}</button>` as VNode : null) },
  ];
  return html`<${Fault} text=${fault} />
    <p class="filters">
      ${data?.owner && html`<span class="muted">belongs to ${data.owner}</span>`}
      ${data?.in_venue && html`<label>Where <select value=${region} onChange=${(e: Event) => setRegion((e.currentTarget as HTMLSelectElement).value)}>
        <option value="">every region</option>${data.regions.map((r) => html`<option value=${r.region}>${r.region}</option>`)}</select></label>
        <button type="button" class="small" disabled=${!data.regions.some((r) => r.previous && (!region || r.region === region))} onClick=${() => ask(rollbackQuestion(name, region, done))}>Roll back…</button>
        <button type="button" class="small" onClick=${() => ask(reload())}>Load the file's again…</button>
        <span class="muted">${[...new Set(data.regions.map((r) => previous(r, versions)))].filter((p) => p !== "–").map((p) => `before: ${p}`).join("; ")}</span>`}
    </p>
    <${Table} columns=${columns} rows=${versions} id=${(v: RuleVersion) => v.digest} empty=${data ? "Nothing was uploaded." : "Loading…"} />
    <${Upload} name=${name} done=${done} />` as VNode;
}

function Upload({ name, done }: { name: string; done: () => void }): VNode {
  const file = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"" | "acting" | "good" | "bad">("");
  const [answer, setAnswer] = useState<string[]>([]);
  const send = async (e: Event): Promise<void> => {
    e.preventDefault();
    const chosen = file.current?.files?.[0];
    if (!chosen) return;
    setState("acting");
    setAnswer([`${chosen.name} is inspected…`]);
    try {
      const u = await upload(name, chosen);
      setState("good");
      setAnswer([u.message, `${bytes(u.report.size_bytes)}, ${count(u.report.fuel_per_event)} units of fuel an event, ${bytes(u.report.peak_memory_bytes)} of memory, compiled in ${u.report.compile_ms.toFixed(0)} ms`]);
      done();
    } catch (e) {
      setState("bad");
      const problems = e instanceof ApiFault ? e.problems : [];
      setAnswer(problems.length ? problems.map((p) => `${p.code}: ${p.message}`) : [e instanceof Error ? e.message : String(e)]);
    }
  };
  return html`<form class="upload" onSubmit=${send}>
    <label>A plugin (.wasm), as a version of ${name} <input type="file" accept=".wasm,application/wasm" required ref=${file} onChange=${() => setState("")} /></label>
    <button type="submit" class="primary" disabled=${state === "acting"}>${state === "acting" ? "Inspecting…" : "Upload"}</button>
    ${state !== "" && html`<div class=${`answer ${state === "acting" ? "" : state}`} role="status">${answer.map((a) => html`<p>${a}</p>`)}</div>`}
  </form>` as VNode;
}

function History({ name }: { name: string }): VNode {
  const path = `/rules/${encodeURIComponent(name)}`;
  const swaps = usePoll<{ swaps: RuleSwap[] }>(`${path}/swaps`, 2000);
  const faults = usePoll<{ faults: RuleFault[] }>(`${path}/faults`, 2000);
  const when = (t: string): string => clock(Date.parse(t) / 1000);
  const swapColumns: Column<RuleSwap>[] = [
    { title: "Time", key: (s) => s.time, cell: (s) => html`<time title=${s.time}>${when(s.time)}</time>` as VNode },
    { title: "Region", key: (s) => s.region, cell: (s) => s.region },
    { title: "From", cell: (s) => (s.from ? module(s.from.plugin, s.from.version, s.from.digest) : "–") },
    { title: "To", cell: (s) => module(s.to.plugin, s.to.version, s.to.digest) },
    { title: "By", key: (s) => s.by, cell: (s) => s.by },
    { title: "Why", cell: (s) => html`<span class=${s.returned ? "bad" : ""}>${s.returned && "went back: "}${s.reason}</span>` as VNode },
    { title: "From tick", number: true, key: (s) => s.tick ?? 0, cell: (s) => (s.tick ? count(s.tick) : "–") },
  ];
  const state = (f: RuleFault): string => (f.before.hash === f.after.hash && f.before.bytes === f.after.bytes
    ? `unchanged: ${count(f.after.keys)} keys, ${bytes(f.after.bytes)}`
    : `${count(f.before.keys)} keys, ${bytes(f.before.bytes)} → ${count(f.after.keys)} keys, ${bytes(f.after.bytes)}`);
  const faultColumns: Column<RuleFault>[] = [
    { title: "Time", key: (f) => f.time, cell: (f) => html`<time title=${f.time}>${when(f.time)}</time>` as VNode },
    { title: "Region", key: (f) => f.region, cell: (f) => f.region },
    { title: "Module", cell: (f) => module(f.module.plugin, f.module.version, f.module.digest) },
    { title: "Fault", key: (f) => f.kind, cell: (f) => html`<span class="bad">${f.kind}</span> ${f.message}${f.quarantined && html` <span class="tag">quarantine</span>`}` as VNode },
    { title: "Whose input", cell: (f) => f.session ?? "–" },
    { title: "State", cell: (f) => html`<span title=${`${f.before.hash} → ${f.after.hash}`}>${state(f)}</span>` as VNode },
    { title: "Tick", number: true, key: (f) => f.tick, cell: (f) => count(f.tick) },
  ];
  const newest = { column: 0, down: true };
  return html`<section class="panel"><h2>Swaps of ${name}</h2><${Fault} text=${swaps.fault} />
      <${Table} columns=${swapColumns} rows=${swaps.data?.swaps ?? []} id=${(s: RuleSwap) => `${s.region}/${s.time}/${s.to.digest}/${s.returned}`} order=${newest} empty="It runs what it ran from the start." /></section>
    <section class="panel"><h2>Faults of ${name}</h2><${Fault} text=${faults.fault} />
      <${Table} columns=${faultColumns} rows=${faults.data?.faults ?? []} id=${(f: RuleFault) => `${f.region}/${f.time}/${f.tick}/${f.session ?? ""}`} order=${newest} empty="None since the host started." /></section>
    <${RuleLog} name=${name} />` as VNode;
}

function RuleLog({ name }: { name: string }): VNode {
  const lines = useRuleLog(name);
  const box = useRef<HTMLDivElement>(null);
  const follow = useRef(true);
  useEffect(() => {
    if (follow.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  const scrolled = (): void => {
    const b = box.current!;
    follow.current = b.scrollHeight - b.scrollTop - b.clientHeight < 24;
  };
  return html`<section class="panel"><h2>Log of ${name}</h2>
    <div class="lines short" ref=${box} onScroll=${scrolled} tabindex="0">
      ${lines.map((l: LogLine) => html`<${Line} key=${l.n} line=${l} />`)}
      ${lines.length === 0 && html`<div class="empty">No lines.</div>`}
    </div></section>` as VNode;
}
