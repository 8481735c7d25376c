import type { Role } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { rolePath, rolesKey } from '../../queries/people.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { useChange } from '../../ui/use-change.ts';

export function DeleteRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const remove = useChange(() => request<undefined>('DELETE', rolePath(role.id)), rolesKey);
  return (
    <ConfirmChange title={`Delete ${role.name}`} action="Delete role" look="danger" change={remove} onClose={onClose}>
      <p>A role can be deleted only while no user has it.</p>
    </ConfirmChange>
  );
}
