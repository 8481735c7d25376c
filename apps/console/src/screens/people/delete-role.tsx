import type { Role } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { rolePath, rolesKey } from '../../queries/people.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useChange } from '../../ui/use-change.ts';

export function DeleteRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const remove = useChange(() => request<undefined>('DELETE', rolePath(role.id)), rolesKey);
  return (
    <Confirm
      title={`Delete ${role.name}`}
      action="Delete role"
      look="danger"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>It is deleted only while nobody has it.</p>
    </Confirm>
  );
}
