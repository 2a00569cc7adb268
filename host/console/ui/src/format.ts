/** Numbers for people. */

/** A number of bytes a second. */
export function bytesPerSecond(n: number): string {
  if (n < 1000) return `${Math.round(n)} B/s`;
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} kB/s`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} MB/s`;
}

/** A number of bytes. */
export function bytes(n: number): string {
  if (n < 1000) return `${Math.round(n)} B`;
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} kB`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} MB`;
}

/** A duration given in microseconds. */
export function micros(us: number): string {
  if (us < 1000) return `${Math.round(us)} µs`;
  if (us < 1e6) return `${(us / 1e3).toFixed(us < 1e4 ? 1 : 0)} ms`;
  return `${(us / 1e6).toFixed(1)} s`;
}

/** A duration given in milliseconds, in its two largest units. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const units: [number, string][] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  for (let i = 0; i < units.length; i++) {
    const [n, name] = units[i]!;
    if (s < n && n > 1) continue;
    const next = units[i + 1];
    const rest = next ? Math.floor((s % n) / next[0]) : 0;
    return rest > 0 && next ? `${Math.floor(s / n)} ${name} ${rest} ${next[1]}` : `${Math.floor(s / n)} ${name}`;
  }
  return "0 s";
}

/** A share of 1, in percent. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

/** A whole number with thin spaces between its thousands. */
export function count(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** The time of day in the operator's zone, of seconds since 1970: hours and minutes, and seconds if wanted. */
export function clock(time: number, seconds = true): string {
  const t = new Date(time * 1000);
  return [t.getHours(), t.getMinutes(), ...(seconds ? [t.getSeconds()] : [])].map((n) => String(n).padStart(2, "0")).join(":");
}

/** A colour for a person: the same for the same id, and readable on light and dark. */
export function personColor(id: string): string {
  let h = 2166136261;
  for (const c of id) h = Math.imul(h ^ c.codePointAt(0)!, 16777619);
  return `hsl(${(h >>> 0) % 360} 65% 52%)`;
}
