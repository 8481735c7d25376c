import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import type { Api } from '../demo/api.ts';
import { PASSWORD, registerOwner } from '../e2e/register-owner.ts';
import type { Console, Tab } from './use-console.ts';

/** Somebody with an account of their own: their name, and the API as they may use it. */
export interface Person {
  readonly username: string;
  readonly api: Api;
}

/** Makes somebody an account. */
export async function registerPerson(anonymous: Api): Promise<Person> {
  const username = `person-${randomBytes(8).toString('hex')}`;
  const { api } = await registerOwner(anonymous, username);
  return { username, api };
}

/** One more person in the account of `owner`, by their name. */
export async function addPerson(owner: Api, role: string): Promise<string> {
  const username = `person-${randomBytes(8).toString('hex')}`;
  const body = { username, email: `${username}@example.test`, password: PASSWORD, role };
  await owner.call('POST', '/api/v1/users', { body });
  return username;
}

/** On the page for signing in. */
export async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Somebody with an account of their own, signed in, on the page they came for. */
export async function openAsOwner(console: Console, path: string): Promise<Tab & Person> {
  const person = await registerPerson(console.suite().api);
  const tab = await (await console.visit()).open(path);
  await signIn(tab.page, person.username);
  return { ...tab, ...person };
}

/** The dialog that a button of its name opens. */
export async function openDialog(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name }).click();
  return page.getByRole('dialog', { name });
}
