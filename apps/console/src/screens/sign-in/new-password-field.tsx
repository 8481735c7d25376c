import { Field } from '../../ui/field.tsx';

export function NewPasswordField({ error }: { readonly error: string | undefined }) {
  return (
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      hint="At least 8 characters."
      required
      minLength={8}
      error={error}
    />
  );
}
