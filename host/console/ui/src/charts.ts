import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import type { VNode } from "preact";
import uPlot from "uplot";
import { bytesPerSecond, clock, micros } from "./format.ts";
import type { Live } from "./live.ts";
import type { Sample } from "./types.ts";
import { color, useDark, useLive } from "./ui.ts";

/** One line of a chart. */
interface Line { label: string; color: string; value: (s: Sample) => number }

/** A chart of some lines over time. */
interface Plan { title: string; lines: Line[]; show: (v: number) => string }

/** The charts of the console. */
const PLANS: Plan[] = [
  { title: "Visitors", show: (v) => String(Math.round(v * 10) / 10), lines: [
    { label: "here", color: "line-1", value: (s) => s.users },
    { label: "connection lost", color: "line-2", value: (s) => s.away },
  ] },
  { title: "Tick time, p99", show: micros, lines: [{ label: "slowest region", color: "line-3", value: (s) => s.tick_p99_us }] },
  { title: "Traffic", show: bytesPerSecond, lines: [
    { label: "to clients", color: "line-1", value: (s) => s.down_bytes_s },
    { label: "from clients", color: "line-4", value: (s) => s.up_bytes_s },
  ] },
  { title: "Age of poses at their tick", show: (v) => `${Math.round(v)} ms`, lines: [{ label: "mean", color: "line-2", value: (s) => s.pose_age_ms }] },
];

const HEIGHT = 116;

/** All charts, of the last ten minutes. */
export function Charts({ live }: { live: Live }): VNode {
  useLive(live, "sample");
  return html`<div class="charts">${PLANS.map((p) => html`<${Chart} key=${p.title} plan=${p} samples=${live.samples} />`)}</div>` as VNode;
}

function Chart({ plan, samples }: { plan: Plan; samples: Sample[] }): VNode {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const dark = useDark();
  const newest = samples.at(-1);
  useEffect(() => {
    const el = box.current!;
    const axis = { stroke: color("muted"), grid: { stroke: color("grid"), width: 1 }, ticks: { stroke: color("grid"), width: 1 }, font: "11px system-ui, sans-serif" };
    const u = new uPlot({
      width: Math.max(120, el.clientWidth), height: HEIGHT, legend: { show: false }, cursor: { y: false, points: { size: 5 } },
      scales: { y: { range: (_u, _min, max) => [0, max > 0 ? max * 1.15 : 1] } },
      axes: [
        { ...axis, size: 28, space: 80, values: (_u, list) => list.map((t) => clock(t, list.length > 1 && list[1]! - list[0]! < 60)) },
        { ...axis, size: 62, space: 30, values: (_u, list) => list.map(plan.show) },
      ],
      series: [{}, ...plan.lines.map((l) => ({ label: l.label, stroke: color(l.color), width: 1.5, points: { show: false } }))],
    }, data(plan, samples), el);
    chart.current = u;
    const observer = new ResizeObserver(() => u.setSize({ width: Math.max(120, el.clientWidth), height: HEIGHT }));
    observer.observe(el);
    return () => {
      observer.disconnect();
      u.destroy();
      chart.current = undefined;
    };
  }, [plan, dark]);
  useEffect(() => chart.current?.setData(data(plan, samples)), [plan, samples]);
  return html`<section class="chart">
    <h3>${plan.title}</h3>
    <p class="legend">${plan.lines.map((l) => html`<span><i class=${`swatch ${l.color}`}></i>${l.label} <b>${newest ? plan.show(l.value(newest)) : "–"}</b></span>`)}</p>
    <div ref=${box}></div>
  </section>` as VNode;
}

function data(plan: Plan, samples: Sample[]): uPlot.AlignedData {
  return [samples.map((s) => s.time), ...plan.lines.map((l) => samples.map(l.value))];
}
