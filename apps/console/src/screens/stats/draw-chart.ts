import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface ChartLayer {
  readonly color: string;
  readonly values: readonly (number | null)[];
}

export interface ChartPicture {
  /** Start times of the steps, in seconds. */
  readonly times: readonly number[];
  readonly layers: readonly ChartLayer[];
  readonly shape: 'bars' | 'lines';
  readonly text: string;
  readonly line: string;
  /** Length of a step in seconds. */
  readonly stepSeconds: number;
  readonly formatTick: (value: number) => string;
  /** Called with the step under the pointer; undefined when the pointer leaves the chart. */
  readonly onStep: (place: number | undefined) => void;
}

const HEIGHT = 200;
const AXIS_WIDTH = 56;
const FONT = '12px system-ui, sans-serif';

/** Draws a chart into an element, using its full width. Bars are stacked; lines are not. */
export function drawChart(place: HTMLElement, picture: ChartPicture): { readonly destroy: () => void } {
  const { layers, shape, text, line } = picture;
  // The highest bars are drawn first, because later ones are drawn over them.
  const drawn = shape === 'bars' ? stack(layers).toReversed() : layers;
  const axis = { stroke: text, font: FONT, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const chart = new UPlot(
    {
      width: Math.max(place.clientWidth, 1),
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        // Adds space for the last step.
        x: { range: (_chart, first, last) => [first, last + picture.stepSeconds] },
        y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
      },
      axes: [
        { ...axis, values: (_chart, ticks) => formatTimes(ticks) },
        { ...axis, size: AXIS_WIDTH, values: (_chart, values) => values.map((value) => picture.formatTick(value)) },
      ],
      series: [
        {},
        ...drawn.map(({ color }) =>
          shape === 'bars'
            ? {
                fill: color,
                width: 0,
                points: { show: false },
                paths: UPlot.paths.bars?.({ size: [0.8, 48], align: 1 }),
              }
            : { stroke: color, width: 2, spanGaps: true, points: { show: picture.times.length < 3 } },
        ),
      ] as UPlot.Series[],
      hooks: { setCursor: [({ cursor }) => picture.onStep(cursor.idx ?? undefined)] },
    },
    [picture.times, ...drawn.map(({ values }) => values)] as UPlot.AlignedData,
    place,
  );
  const observer = new ResizeObserver(() => {
    if (place.clientWidth > 0) chart.setSize({ width: place.clientWidth, height: HEIGHT });
  });
  observer.observe(place);
  return {
    destroy() {
      observer.disconnect();
      chart.destroy();
    },
  };
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Formats ticks as times of day; a tick at midnight is formatted as the date. */
function formatTimes(ticks: readonly number[]): string[] {
  return ticks.map((seconds) => {
    const at = new Date(seconds * 1000);
    return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : clock.format(at);
  });
}

function stack(layers: readonly ChartLayer[]): ChartLayer[] {
  let below: readonly number[] = [];
  return layers.map(({ color, values }) => {
    below = values.map((value, place) => (value ?? 0) + (below[place] ?? 0));
    return { color, values: below };
  });
}
