import type { Role } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useSession } from '../../auth/session.ts';
import { ROLES_PATH, rolesKey } from '../../queries/people.ts';
import { queryClient } from '../../queries/query-client.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Out of the permissions that its maker has: nobody gives more than they may. */
export function CreateRole({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.user.permissions : [];
  async function create(values: Readonly<Record<string, string>>): Promise<void> {
    const body = { name: values['name'] ?? '', permissions: own.filter((permission) => permission in values) };
    await request<Role>('POST', ROLES_PATH, { body });
    void queryClient.invalidateQueries({ queryKey: rolesKey() });
    onClose();
  }
  return (
    <FormDialog title="Create role" action="Create role" onClose={onClose} onSend={create}>
      {(errorOf) => (
        <>
          <Field label="Name" name="name" maxLength={50} required error={errorOf('name')} />
          <CheckList legend="Who has it may" names={own} />
        </>
      )}
    </FormDialog>
  );
}
