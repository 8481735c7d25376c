import { useQuery } from '@tanstack/react-query';
import { rolesQuery } from '../../queries/people.ts';
import { SelectField } from '../../ui/select-field.tsx';

interface Props {
  readonly chosen: string;
  readonly error: string | undefined;
}

/** Choice among the roles of the account. */
export function RoleField({ chosen, error }: Props) {
  const { data } = useQuery(rolesQuery());
  const names = data?.items.map(({ name }) => name) ?? [chosen];
  return (
    <SelectField
      key={names.join(' ')}
      label="Role"
      name="role"
      options={Object.fromEntries(names.map((name) => [name, name]))}
      defaultValue={chosen}
      error={error}
    />
  );
}
