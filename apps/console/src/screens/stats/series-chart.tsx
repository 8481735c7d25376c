import { useEffect, useRef, useState } from 'react';
import type { Series, SeriesMeasure } from '../../api/answers.ts';
import { useMedia } from '../../shell/use-media.ts';
import { useThemeChanges } from '../../theme/theme.ts';
import type { ChartPicture } from './draw-chart.ts';
import { formatMeasure, formatTick } from './format-measure.ts';
import styles from './stats.module.css';

export interface Layer {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly sum: number | null | undefined;
}

interface Props {
  /** Description for screen readers; the table contains the values. */
  readonly name: string;
  readonly series: Pick<Series, 'times' | 'step'>;
  readonly measure: SeriesMeasure;
  readonly layers: readonly Layer[];
  readonly shape: 'bars' | 'lines';
}

/** A chart with its legend, drawn in the colors of the legend. */
export function SeriesChart({ name, series, measure, layers, shape }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const [step, setStep] = useState<number>();
  // The theme of the system and the chosen theme both affect the colors.
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const themeChanges = useThemeChanges();
  const { times, step: length } = series;
  useEffect(() => {
    const target = place.current;
    if (target === null || legend.current === null) return undefined;
    const swatches = [...legend.current.querySelectorAll('i')].map(
      (swatch) => getComputedStyle(swatch).backgroundColor,
    );
    const { color, borderTopColor } = getComputedStyle(target);
    const picture: ChartPicture = {
      ...{ shape, text: color, line: borderTopColor, onStep: setStep },
      times: times.map((time) => Date.parse(time) / 1000),
      layers: layers.map(({ values }, index) => ({ values, color: swatches[index] ?? color })),
      stepSeconds: STEP_SECONDS[length],
      formatTick: (value) => formatTick(measure, value),
    };
    return drawWhenLoaded(target, picture);
  }, [times, length, layers, measure, shape, isDark, themeChanges]);
  const at = step === undefined ? undefined : times[step];
  return (
    <>
      <div ref={place} className={styles['chart']} role="img" aria-label={name} />
      <ul ref={legend} className={styles['legend']}>
        {layers.map((layer, index) => (
          <li key={layer.name}>
            <i className={styles[`color${index % COLORS}`]} aria-hidden="true" />
            {layer.name} <strong>{formatMeasure(measure, step === undefined ? layer.sum : layer.values[step])}</strong>
          </li>
        ))}
        <li className={styles['fine']} aria-hidden="true">
          {at === undefined ? '' : formatStep(at, series.step)}
        </li>
      </ul>
    </>
  );
}

/**
 * Draws a chart as soon as the library is loaded; the legend is shown before that. Returns the function that removes
 * the chart.
 */
function drawWhenLoaded(place: HTMLElement, picture: ChartPicture): () => void {
  let chart: { readonly destroy: () => void } | undefined;
  let isGone = false;
  import('./draw-chart.ts')
    .then(({ drawChart }) => {
      if (!isGone) chart = drawChart(place, picture);
    })
    // Without the library, the legend and the table still show the values.
    .catch(() => undefined);
  return () => {
    isGone = true;
    chart?.destroy();
  };
}

const COLORS = 8;
const STEP_SECONDS: Readonly<Record<Series['step'], number>> = { minute: 60, hour: 3600, day: 86_400 };

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const formatStep = (at: string, step: Series['step']): string =>
  (step === 'day' ? day : moment).format(new Date(at));
