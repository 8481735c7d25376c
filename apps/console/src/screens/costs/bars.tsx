import styles from './costs.module.css';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The formatted value. */
  readonly label: string;
}

interface Props {
  /** Description of the chart for screen readers; the table below contains the values. */
  readonly name: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 720;
const HEIGHT = 140;

/** A bar chart; heights are relative to the highest value. */
export function Bars({ name, bars }: Props) {
  const highest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg role="img" aria-label={name} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles['bars']}>
      {bars.map(({ name: bar, value, label }, index) => {
        const height = (value / highest) * HEIGHT;
        return (
          <rect key={bar} x={index * step} y={HEIGHT - height} width={Math.max(1, step - 2)} height={height}>
            <title>{`${bar}: ${label}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
