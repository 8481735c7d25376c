import type { Permission } from '../api/answers.ts';
import { useSession } from './session.ts';

/** Returns the message that this permission is needed; undefined if the user has the permission. */
export function useRefusal(permission: Permission): string | undefined {
  const session = useSession();
  const isGranted = session.kind === 'signed-in' && session.user.permissions.includes(permission);
  return isGranted ? undefined : `needs the permission ${permission}`;
}
