import { queryOptions } from '@tanstack/react-query';
import type { LoginPage, RolePage, UserPage } from '../api/answers.ts';
import { read } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

export const USERS_PATH = '/api/v1/users';
export const ROLES_PATH = '/api/v1/roles';

export const USER_KEYS = ['query', 'cursor'] as const;
export type UserParams = Texts<(typeof USER_KEYS)[number]>;

export const rolePath = (roleId: string): string => `${ROLES_PATH}/${encodeURIComponent(roleId)}`;

export const usersKey = (): readonly unknown[] => accountKey('users');
export const rolesKey = (): readonly unknown[] => accountKey('roles');

export const usersQuery = (params: UserParams) =>
  queryOptions({
    queryKey: [...usersKey(), params],
    queryFn: read<UserPage>(USERS_PATH, params),
  });

export const rolesQuery = () =>
  queryOptions({
    queryKey: rolesKey(),
    queryFn: read<RolePage>(ROLES_PATH),
  });

export const LOGINS_PATH = '/api/v1/auth/sessions';

export const loginsKey = (): readonly unknown[] => accountKey('logins');

/** Query of the logins of the signed-in user. */
export const loginsQuery = () =>
  queryOptions({
    queryKey: loginsKey(),
    queryFn: read<LoginPage>(LOGINS_PATH),
  });
