import { nullable, type AnswerBody } from '@steward/http';
import { Type } from '@sinclair/typebox';
import { PERMISSIONS } from '@steward/contracts';
import type { User } from '@steward/identity';
import { toStorableText } from '@steward/text';

export const Username = Type.String({
  minLength: 3,
  maxLength: 50,
  pattern: '^[A-Za-z0-9._-]+$',
  description: 'Letters, digits, dot, underscore and dash; unique, ignoring case.',
});
export const Email = Type.String({ maxLength: 254, format: 'email', description: 'Unique, ignoring case.' });
export const Password = Type.String({
  minLength: 8,
  maxLength: 200,
  description: '8 to 200 characters; common passwords and the user’s own name are refused.',
});
export const FullName = nullable(Type.String({ maxLength: 200 }));

/** Returns the name as it is stored; undefined if there is none. */
export function readFullName({ full_name: name }: { readonly full_name?: string | null }): string | undefined {
  return typeof name === 'string' ? toStorableText(name) : undefined;
}

export const RoleName = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'Name of a system role or of a custom role of the account.',
});

export const UserAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  account_id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  email: Type.String(),
  full_name: nullable(Type.String()),
  role: Type.String(),
  permissions: Type.Array(Type.String({ enum: [...PERMISSIONS], title: 'Permission' })),
  is_active: Type.Boolean(),
  is_invited: Type.Boolean({ description: 'True until the user accepts the invitation and chooses a password.' }),
  created_at: Type.String({ format: 'date-time' }),
});

export const UserParams = Type.Object({ user_id: Type.String({ format: 'uuid', description: 'The user.' }) });

export function presentUser(user: User): AnswerBody<typeof UserAnswer> {
  return {
    id: user.id,
    account_id: user.accountId,
    username: user.username,
    email: user.email,
    full_name: user.fullName,
    role: user.role,
    permissions: user.permissions,
    is_active: user.isActive,
    is_invited: user.isInvited,
    created_at: user.createdAt,
  };
}
