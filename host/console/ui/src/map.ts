import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import type { Asker } from "./lists.ts";
import { kickQuestion, resetQuestion } from "./lists.ts";
import { draw, hit, type Palette, type Scene } from "./draw.ts";
import type { Live } from "./live.ts";
import type { FloorInfo, Thing, Venue } from "./types.ts";
import { color, useDark, useLive } from "./ui.ts";
import { fit, pan, type View, zoom } from "./view.ts";

const NAMES = ["ground", "room", "wall", "zone", "region", "text", "muted", "grid", "good", "bad", "select", "outline"] as const;

function palette(): Palette {
  return Object.fromEntries(NAMES.map((n) => [n, color(n === "ground" || n === "room" || n === "grid" ? `map-${n}` : n)])) as unknown as Palette;
}

/** The live floor: pan by dragging, zoom by wheel or two fingers, click to select. */
export function FloorMap({ live, venue, ask }: { live: Live; venue: Venue; ask: Asker }): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [floor, setFloor] = useState(venue.floors[0]!.name);
  const [selected, setSelected] = useState("");
  const [hover, setHover] = useState<{ id: string; x: number; y: number }>({ id: "", x: 0, y: 0 });
  const dark = useDark();
  const state = useRef<Scene & { dirty: boolean; touched: boolean }>(null as never);
  state.current ??= {
    venue, floor, model: live.floor, view: { x: 0, z: 0, scale: 10 }, size: { width: 0, height: 0 }, palette: palette(),
    hover: "", selected: "", dirty: true, touched: false,
  };
  const info = venue.floors.find((f) => f.name === floor) as FloorInfo;
  const show = (v: View, byHand = true): void => {
    state.current.view = v;
    state.current.dirty = true;
    state.current.touched ||= byHand;
  };
  const whole = (): void => {
    state.current.touched = false;
    show(fit(info.min, info.max, state.current.size), false);
  };
  const nearer = (factor: number): void => {
    const { view, size } = state.current;
    show(zoom(view, size, factor, size.width / 2, size.height / 2));
  };

  useEffect(() => {
    state.current.palette = palette();
    state.current.dirty = true;
  }, [dark]);
  useEffect(() => {
    state.current.floor = floor;
    whole();
  }, [floor]);
  useEffect(() => {
    state.current.selected = selected;
    state.current.hover = hover.id;
    state.current.dirty = true;
  }, [selected, hover.id]);
  useEffect(() => {
    const el = canvas.current!;
    const g = el.getContext("2d")!;
    const sized = (): void => {
      const box = el.parentElement!.getBoundingClientRect();
      const ratio = devicePixelRatio;
      el.width = Math.round(box.width * ratio);
      el.height = Math.round(box.height * ratio);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      state.current.size = { width: box.width, height: box.height };
      state.current.dirty = true;
      if (!state.current.touched) whole();
    };
    const observer = new ResizeObserver(sized);
    observer.observe(el.parentElement!);
    sized();
    let frame = 0;
    const turn = (now: number): void => {
      frame = requestAnimationFrame(turn);
      const s = state.current;
      if (!s.dirty && !s.model.lively(now)) return;
      s.dirty = false;
      draw(g, s, now);
    };
    frame = requestAnimationFrame(turn);
    const redraw = live.on("map", () => { state.current.dirty = true; });
    const wheel = (e: WheelEvent): void => {
      e.preventDefault();
      const { view, size } = state.current;
      show(zoom(view, size, Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), e.offsetX, e.offsetY));
    };
    el.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      redraw();
      el.removeEventListener("wheel", wheel);
    };
  }, [live, venue, floor]);

  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const way = useRef(0);
  const down = (e: PointerEvent): void => {
    canvas.current!.setPointerCapture(e.pointerId);
    fingers.current.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    way.current = 0;
  };
  const move = (e: PointerEvent): void => {
    const held = fingers.current;
    const old = held.get(e.pointerId);
    if (!old) {
      const t = hit(state.current, e.offsetX, e.offsetY, performance.now());
      if (t || hover.id) setHover({ id: t?.thing.id ?? "", x: e.offsetX, y: e.offsetY });
      return;
    }
    const { view, size } = state.current;
    const [dx, dy] = [e.offsetX - old.x, e.offsetY - old.y];
    way.current += Math.hypot(dx, dy);
    if (held.size === 1) {
      show(pan(view, dx, dy));
    } else {
      const other = [...held].find(([id]) => id !== e.pointerId)![1];
      const before = Math.hypot(old.x - other.x, old.y - other.y);
      const after = Math.hypot(e.offsetX - other.x, e.offsetY - other.y);
      show(zoom(pan(view, dx / 2, dy / 2), size, after / Math.max(1, before), (e.offsetX + other.x) / 2, (e.offsetY + other.y) / 2));
    }
    held.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
  };
  const up = (e: PointerEvent): void => {
    fingers.current.delete(e.pointerId);
    if (way.current < 5) setSelected(hit(state.current, e.offsetX, e.offsetY, performance.now())?.thing.id ?? "");
  };
  const lost = (e: PointerEvent): void => { fingers.current.delete(e.pointerId); };

  return html`<section class="map">
    <canvas ref=${canvas} aria-label="Floor map" onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${lost}
      onPointerLeave=${() => setHover({ id: "", x: 0, y: 0 })}></canvas>
    <div class="over left">
      ${venue.floors.length > 1 && html`<select aria-label="Floor" value=${floor} onChange=${(e: Event) => setFloor((e.currentTarget as HTMLSelectElement).value)}>
        ${venue.floors.map((f) => html`<option value=${f.name}>${f.name}</option>`)}</select>`}
      <button type="button" aria-label="Zoom in" onClick=${() => nearer(1.4)}>+</button>
      <button type="button" aria-label="Zoom out" onClick=${() => nearer(1 / 1.4)}>−</button>
      <button type="button" onClick=${whole}>Whole floor</button>
    </div>
    <${Tip} live=${live} hover=${hover} />
    <${Card} live=${live} venue=${venue} id=${selected} ask=${ask} close=${() => setSelected("")} />
  </section>` as VNode;
}

function title(t: Thing): string {
  return t.name || t.user || t.id;
}

function Tip({ live, hover }: { live: Live; hover: { id: string; x: number; y: number } }): VNode | null {
  const t = live.floor.things.get(hover.id)?.thing;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Through the style object: the page's policy forbids style attributes.
    if (box.current) box.current.style.transform = `translate(${hover.x + 14}px, ${hover.y + 14}px)`;
  });
  if (!t) return null;
  return html`<div class="tip" ref=${box}><b>${title(t)}</b>${t.kind === "person" && t.user !== t.name ? html` <span class="muted">${t.user}</span>` : ""}
    ${t.away ? html`<div class="muted">connection lost</div>` : ""}</div>` as VNode;
}

function Card({ live, venue, id, ask, close }: { live: Live; venue: Venue; id: string; ask: Asker; close: () => void }): VNode | null {
  useLive(live, "map");
  const t = live.floor.things.get(id)?.thing;
  const held = useMemo(() => (t?.kind === "person" ? live.floor.heldBy(id) : []), [live.floor, id, t]);
  if (!t) return null;
  const holder = t.holder ? live.floor.things.get(t.holder)?.thing : undefined;
  const rows: [string, string][] = [["Place", `${t.p.map((m) => m.toFixed(2)).join(", ")} m`], ["Region", t.region]];
  if (t.kind === "person") rows.unshift(["User", t.user ?? ""], ["Session", t.session ?? ""]);
  if (t.kind === "person") rows.push(["State", t.away ? "connection lost" : "here"], ["Holds", held.map(title).join(", ") || "nothing"]);
  if (t.kind === "object") {
    rows.unshift(["Kind", venue.kinds[t.class ?? -1]?.name ?? ""]);
    rows.push(["State", String(t.value ?? 0)], ["Held by", holder ? `${title(holder)}, ${t.hand ?? ""} hand` : "nobody"]);
  }
  if (t.kind === "door") rows.push(["Open", `${((t.value ?? 0) / 10).toFixed(0)} %`], ["Locked", t.locked ? "yes" : "no"]);
  return html`<aside class="card" aria-label="Selected">
    <header><h3>${title(t)}</h3><button type="button" aria-label="Close" onClick=${close}>×</button></header>
    <dl>${rows.map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>
    ${t.kind === "person" && html`<button type="button" class="danger" onClick=${() => ask(kickQuestion(t.session!, title(t)))}>Kick…</button>`}
    ${t.kind === "object" && html`<button type="button" onClick=${() => ask(resetQuestion(t.name))}>Reset…</button>`}
  </aside>` as VNode;
}
