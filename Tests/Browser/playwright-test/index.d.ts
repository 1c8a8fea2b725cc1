/** The declarations of `@playwright/test` that Public/clients/foyer.ts and the README need. */

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

type Fixture<Value, Available> =
  | Exclude<Value, Function>
  | ((available: Available, use: (value: Value) => Promise<void>) => unknown);
type Option<Value, Available, Options> = [Fixture<Value, Available>, Options];

type New<Test, Worker, OldTest, OldWorker> = {
  [Name in Exclude<keyof Worker, keyof (OldTest & OldWorker)>]?: Option<
    Worker[Name], Worker & OldWorker, { scope: 'worker'; option?: boolean }>;
} & {
  [Name in Exclude<keyof Test, keyof (OldTest & OldWorker)>]?:
    | Fixture<Test[Name], Test & Worker & OldTest & OldWorker>
    | Option<Test[Name], Test & Worker & OldTest & OldWorker, { scope?: 'test'; option?: boolean }>;
} & {
  [Name in keyof OldTest]?: Fixture<OldTest[Name], Test & Worker & OldTest & OldWorker>;
};

interface TestType<Test, Worker> {
  (title: string, body: (available: Test & Worker) => Promise<void>): void;
  use(values: Partial<Test & Worker>): void;
  extend<MoreTest = {}, MoreWorker = {}>(
    fixtures: New<MoreTest, MoreWorker, Test, Worker>,
  ): TestType<Test & MoreTest, Worker & MoreWorker>;
}

interface TestFixtures {
  page: Page;
  context: BrowserContext;
  baseURL: string | undefined;
  storageState: Parameters<Browser['newContext']>[0] extends infer Options | undefined
    ? Options extends { storageState?: infer State } ? State : never
    : never;
}

export const test: TestType<TestFixtures, { browser: Browser }>;

export function expect(locator: Locator): { toHaveText(text: string | RegExp): Promise<void> };
export function expect(value: unknown): { toBe(expected: unknown): void };
