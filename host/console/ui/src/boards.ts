import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { VNode } from "preact";
import { count } from "./format.ts";
import { Fault } from "./lists.ts";
import { type Column, Table } from "./table.ts";
import type { Board, BoardSummary, Total } from "./types.ts";
import { usePoll } from "./ui.ts";

const TOP = 50;

/** The score boards: people's, or load generators'. */
export function Boards(): VNode {
  const [load, setLoad] = useState(false);
  const { data, fault } = usePoll<{ boards: BoardSummary[] }>(`/boards?load=${load}`, 3000);
  return html`<section class="panel"><h2>Boards <span class="muted">${data ? data.boards.length : ""}</span></h2><${Fault} text=${fault} />
      <p class="filters"><label><input type="checkbox" checked=${load} onChange=${(e: Event) => setLoad((e.currentTarget as HTMLInputElement).checked)} /> of load generators</label></p>
      ${data && data.boards.length === 0 && html`<div class="empty">Nobody has scored.</div>`}</section>
    ${(data?.boards ?? []).map((b) => html`<${One} key=${`${b.board}/${load}`} name=${b.board} load=${load} />`)}` as VNode;
}

function One({ name, load }: { name: string; load: boolean }): VNode {
  const { data, fault } = usePoll<Board>(`/boards/${encodeURIComponent(name)}?top=${TOP}&load=${load}`, 3000);
  const columns: Column<Total>[] = [
    { title: "User", key: (t) => t.user, cell: (t) => t.user },
    { title: "Points", number: true, key: (t) => t.points, cell: (t) => count(t.points) },
  ];
  const more = data && data.users > data.top.length ? `the best ${data.top.length} of ${data.users}` : "";
  return html`<section class="panel"><h2>${name} <span class="muted">${more}</span></h2><${Fault} text=${fault} />
    <${Table} columns=${columns} rows=${data?.top ?? []} id=${(t: Total) => t.user} order=${{ column: 1, down: true }} empty="Loading…" /></section>` as VNode;
}
