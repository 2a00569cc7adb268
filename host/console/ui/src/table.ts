import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ComponentChildren, VNode } from "preact";
import { clicked, type Key, type Order, sorted } from "./sort.ts";

/** A column of a table. */
export interface Column<T> {
  title: string;
  /** What is shown of a row; text is shown as text. */
  cell: (row: T) => ComponentChildren;
  /** What the column sorts by; columns without one do not sort. */
  key?: (row: T) => Key;
  /** Numbers stand at the right. */
  number?: boolean;
}

/** A table that sorts by the column whose head is clicked. */
export function Table<T>(props: { columns: Column<T>[]; rows: T[]; id: (row: T) => string; empty: string; order?: Order; tone?: (row: T) => string }): VNode {
  const [order, setOrder] = useState<Order>(props.order ?? { column: 0, down: false });
  const key = props.columns[order.column]?.key;
  const rows = key ? sorted(props.rows, key, order.down) : props.rows;
  const arrow = (i: number): string => (order.column === i ? (order.down ? " ▾" : " ▴") : "");
  const aria = (i: number): string => (order.column === i ? (order.down ? "descending" : "ascending") : "none");
  return html`<div class="scroll"><table>
    <thead><tr>${props.columns.map((c, i) => html`<th class=${c.number ? "number" : ""} aria-sort=${c.key ? aria(i) : undefined}>
      ${c.key ? html`<button type="button" onClick=${() => setOrder(clicked(order, i))}>${c.title}${arrow(i)}</button>` : c.title}
    </th>`)}</tr></thead>
    <tbody>
      ${rows.map((r) => html`<tr key=${props.id(r)} class=${props.tone?.(r) ?? ""}>
        ${props.columns.map((c) => html`<td class=${c.number ? "number" : ""}>${c.cell(r)}</td>`)}
      </tr>`)}
      ${rows.length === 0 && html`<tr><td class="empty" colspan=${props.columns.length}>${props.empty}</td></tr>`}
    </tbody>
  </table></div>` as VNode;
}
