/** The way a table is sorted: by a column, upward or downward. */
export interface Order { column: number; down: boolean }

/** What a table sorts by. */
export type Key = string | number | boolean;

/** Rows in an order. Rows with equal keys keep theirs; texts with numbers in them sort as people count. */
export function sorted<T>(rows: readonly T[], key: (row: T) => Key, down: boolean): T[] {
  const compare = (a: Key, b: Key): number => {
    if (typeof a === "string" && typeof b === "string") return a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" });
    return Number(a) - Number(b);
  };
  const out = rows.map((row) => ({ row, key: key(row) }));
  out.sort((a, b) => (down ? -compare(a.key, b.key) : compare(a.key, b.key)));
  return out.map((x) => x.row);
}

/** The order after a click on a column's head: the same column turns round. */
export function clicked(order: Order, column: number): Order {
  return order.column === column ? { column, down: !order.down } : { column, down: false };
}
