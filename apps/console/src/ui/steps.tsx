import styles from './steps.module.css';

interface Props {
  readonly name: string;
  readonly steps: readonly string[];
  /** Index of the current step; undefined if no step is current. */
  readonly at: number | undefined;
}

/** Progress through several steps. */
export function Steps({ name, steps, at }: Props) {
  return (
    <ol className={styles['steps']} aria-label={name}>
      {steps.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          {index + 1}. {step}
        </li>
      ))}
    </ol>
  );
}
