import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import type { Api } from '../demo/api.ts';
import { PASSWORD, registerOwner } from '../e2e/register-owner.ts';
import type { Console, Tab } from './use-console.ts';

/** Person with a separate account: their user name, and the API with their permissions. */
export interface Person {
  readonly username: string;
  readonly api: Api;
}

/** Creates a person with an account. */
export async function registerPerson(anonymous: Api): Promise<Person> {
  const username = `person-${randomBytes(8).toString('hex')}`;
  const { api } = await registerOwner(anonymous, username);
  return { username, api };
}

/** Adds a person to the account of `owner`, and returns the person's user name. */
export async function addPerson(owner: Api, role: string): Promise<string> {
  const username = `person-${randomBytes(8).toString('hex')}`;
  const body = { username, email: `${username}@example.test`, password: PASSWORD, role };
  await owner.call('POST', '/api/v1/users', { body });
  return username;
}

/** Signs in through the sign-in page. */
export async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Opens a path as a signed-in user with a separate account. The request of the sign-in page is sent without this page,
 * because loading it would double the time.
 */
export async function openAsOwner(console: Console, path: string): Promise<Tab & Person> {
  const { api, url } = console.suite();
  const person = await registerPerson(api);
  const { context, open } = await console.visit();
  const data = { username: person.username, password: PASSWORD };
  const answer = await context.request.post('/api/v1/auth/session', { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(`the sign-in was answered ${answer.status()}`);
  return { ...(await open(path)), ...person };
}

/** Opens a dialog using the button that has the dialog's name. */
export async function openDialog(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name }).click();
  return page.getByRole('dialog', { name });
}
