// The report of a load run is a page that needs nothing else: it is opened as a file, its plots are drawn, in both colour schemes and on a narrow screen.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { check, figure, want } from './lib/report.mjs';
import { act } from './lib/stage.mjs';

await act('a load run');

await withBrowser('load', async (stage) => {
  for (const [colorScheme, width] of [['light', 1280], ['dark', 1280], ['light', 400]]) {
    await stage.part(() => check(`the load report, ${colorScheme}, ${width} wide`, async () => {
      const page = await stage.page({ viewport: { width, height: 900 }, colorScheme });
      const asked = [];
      page.on('request', (r) => asked.push(r.url()));
      await page.goto(`file://${artifact('load.html')}`);
      want(asked.length === 1, 'nothing but the page itself to be asked for', asked);
      const seen = await page.evaluate(() => ({
        title: document.querySelector('h1').innerText,
        verdicts: [...document.querySelectorAll('.verdict')].map((v) => v.innerText),
        headings: [...document.querySelectorAll('h2')].map((h) => h.innerText),
        charts: [...document.querySelectorAll('figure h3')].map((h) => h.innerText),
        drawn: [...document.querySelectorAll('svg')].map((s) => [...s.querySelectorAll('path.line')].filter((p) => p.getBBox().width > 100).length),
        text: document.body.innerText,
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      figure('verdicts', seen.verdicts);
      want(/report: both loops/.test(seen.title), 'the name of the plan', seen.title);
      want(seen.headings.some((h) => /^Open loop/.test(h)) && seen.headings.some((h) => /^Closed loop/.test(h)), 'both loops', seen.headings);
      for (const chart of ['Users', 'Actions', 'End-to-end time, by when they were due', 'Queue share', 'Frames lost', 'Processors of the server', 'Tick time, p99 of the slowest region']) {
        want(seen.charts.includes(chart), `a plot "${chart}"`, seen.charts);
      }
      want(seen.drawn.every((n) => n > 0), 'a line in every plot', seen.drawn);
      want(/Venue browser-hall \(configuration [0-9a-f]{12}\), venued /.test(seen.text), 'what was measured', seen.text);
      want(/gate|Gates/.test(seen.text) && /all\.success_rate/.test(seen.text), 'the gates', seen.text);
      want(seen.overflow <= 0, 'nothing wider than the screen', seen.overflow);
      await page.screenshot({ path: artifact(`load-${colorScheme}-${width}.png`), fullPage: true });
    }));
  }
});
