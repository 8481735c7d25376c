import styles from './steps.module.css';

interface Props {
  readonly name: string;
  readonly steps: readonly string[];
  /** Where it is now, by its place. */
  readonly at: number | undefined;
}

/** A way in steps, and where on it one is. */
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
