import type { AiModel } from '../../api/answers.ts';
import styles from '../../ui/field.module.css';
import { Field } from '../../ui/field.tsx';

interface Props {
  readonly model: AiModel | undefined;
  /** Error of each field, in the order of `PRICES`. */
  readonly errors: readonly (string | undefined)[];
}

const PRICES = {
  input_per_mtok_usd: 'Input price',
  output_per_mtok_usd: 'Output price',
  cached_input_per_mtok_usd: 'Price of cached input',
} as const;

/** The account's own prices, in US dollars per million tokens; empty if those of the catalog apply. */
export function PriceFields({ model, errors }: Props) {
  const own = model?.price_source === 'custom' ? model.prices : undefined;
  return (
    <fieldset className={styles['group']}>
      <legend>Prices in US dollars per million tokens (all empty: prices of the catalog)</legend>
      {Object.entries(PRICES).map(([name, label], index) => (
        <Field
          key={name}
          label={label}
          name={name}
          type="number"
          min={0}
          max={1_000_000}
          step="any"
          defaultValue={own?.[name as keyof typeof PRICES] ?? ''}
          error={errors[index]}
        />
      ))}
    </fieldset>
  );
}

/** Returns the service's error for each price field. */
export function listPriceErrors(errorOf: (field: string) => string | undefined): (string | undefined)[] {
  return Object.keys(PRICES).map((name) => errorOf(`prices.${name}`));
}

/** Returns the prices in the format of the request; null if the prices of the catalog apply. */
export function readPrices(values: Readonly<Record<string, string>>) {
  const [input, output, cached] = Object.keys(PRICES).map((name) => (values[name] ?? '').trim());
  if (input === '' && output === '' && cached === '') return null;
  return {
    ...(input !== '' && { input_per_mtok_usd: Number(input) }),
    ...(output !== '' && { output_per_mtok_usd: Number(output) }),
    ...(cached !== '' && { cached_input_per_mtok_usd: Number(cached) }),
  };
}
