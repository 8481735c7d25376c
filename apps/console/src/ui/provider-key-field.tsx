import { Field } from './field.tsx';

interface Props {
  readonly isStored: boolean;
  readonly error: string | undefined;
}

/** Field for a secret that is never shown again; if it is left empty, the stored secret is kept. */
export function ProviderKeyField({ isStored, error }: Props) {
  return (
    <Field
      label="API key of the provider"
      name="api_key"
      type="password"
      autoComplete="off"
      hint={isStored ? 'A key is stored. Leave empty to keep it.' : 'The key is stored encrypted and never shown.'}
      error={error}
    />
  );
}
