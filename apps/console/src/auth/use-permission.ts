import type { Permission } from '../api/answers.ts';
import { useSession } from './session.ts';

/** Reason why the user lacks this permission; undefined if they have it. */
export function useRefusal(permission: Permission): string | undefined {
  const session = useSession();
  const isGranted = session.kind === 'signed-in' && session.user.permissions.includes(permission);
  return isGranted ? undefined : `needs the permission ${permission}`;
}
