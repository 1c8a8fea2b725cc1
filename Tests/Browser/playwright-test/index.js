/**
 * Stands in for `@playwright/test`, an npm package that the test run cannot install: its fixtures
 * and two of its assertions, with node's own test runner and the playwright-core that the Python
 * package contains.
 */

'use strict';

const assert = require('node:assert/strict');
const run = require('node:test');
const { chromium } = require('playwright-core');

const browserFixtures = {
  browser: async ({}, use) => {
    const executablePath = process.env.CHROMIUM;
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    await use(browser);
    await browser.close();
  },
  baseURL: undefined,
  storageState: undefined,
  context: async ({ browser, baseURL, storageState }, use) => {
    const context = await browser.newContext({ baseURL, storageState });
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(await context.newPage()),
};

function makeTest(fixtures) {
  const used = {};
  const test = (title, body) => run(title, () => perform(body, { ...fixtures, ...used }));
  test.use = (values) => Object.assign(used, values);
  test.extend = (more) => {
    const values = Object.entries(more).map(([name, fixture]) => [name, [fixture].flat()[0]]);
    return makeTest({ ...fixtures, ...Object.fromEntries(values) });
  };
  return test;
}

/** Sets up the fixtures that the test names, runs it, and tears them down in reverse order. */
async function perform(body, fixtures) {
  const available = {};
  const ends = [];

  async function setUp(name) {
    if (name in available) return;
    const fixture = fixtures[name];
    if (typeof fixture !== 'function') {
      available[name] = fixture;
      return;
    }
    await setUpAll(fixture);
    await new Promise((resolve, reject) => {
      const use = (value) => {
        available[name] = value;
        resolve();
        return new Promise((end) => ends.push(async () => (end(), finished)));
      };
      const finished = Promise.resolve(fixture(available, use));
      finished.catch(reject);
    });
  }

  /** Those of the function's first argument, `{ page, workspace }`. */
  async function setUpAll(consumer) {
    const names = /\{(.*?)\}/s.exec(consumer.toString())[1].match(/\w+/g) ?? [];
    for (const name of names) await setUp(name);
  }

  try {
    await setUpAll(body);
    await body(available);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

exports.test = makeTest(browserFixtures);

exports.expect = (actual) => ({
  toBe: (expected) => assert.equal(actual, expected),
  toHaveText: async (text) => {
    const locator = actual.filter({ hasText: text });
    await locator.waitFor({ timeout: 15_000 });
  },
});
