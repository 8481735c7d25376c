import { useQuery } from '@tanstack/react-query';
import type { AiModel } from '../../api/answers.ts';
import { modelsQuery } from '../../queries/models.ts';
import { SelectField } from '../../ui/select-field.tsx';

interface Props {
  readonly model: AiModel | undefined;
  readonly error: string | undefined;
}

const PLACES = ['First fallback', 'Second fallback', 'Third fallback'];

/** Models that are tried in order if a call to the model fails. */
export function FallbackFields({ model, error }: Props) {
  const { data } = useQuery(modelsQuery(undefined));
  if (data === undefined) return null;
  const others = data.items.filter(({ id }) => id !== model?.id);
  const options = { '': 'None', ...Object.fromEntries(others.map(({ id, alias }) => [id, alias])) };
  return PLACES.map((label, index) => (
    <SelectField
      key={label}
      label={label}
      name={`fallback_${index}`}
      options={options}
      defaultValue={model?.fallback_model_ids[index] ?? ''}
      error={index === 0 ? error : undefined}
    />
  ));
}

/**
 * Returns the ids of the fallbacks; undefined if the form offered no choice, in which case the existing ones stay
 * unchanged.
 */
export function readFallbacks(values: Readonly<Record<string, string>>): string[] | undefined {
  if (!('fallback_0' in values)) return undefined;
  return PLACES.map((_label, index) => values[`fallback_${index}`] ?? '').filter((id) => id !== '');
}
