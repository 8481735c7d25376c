import { Field } from '../../ui/field.tsx';

export function NewPasswordField({ error }: { readonly error: string | undefined }) {
  return (
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      hint="8 characters or more."
      required
      minLength={8}
      error={error}
    />
  );
}
