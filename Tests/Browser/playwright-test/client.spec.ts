import { test, expect, Foyer, FoyerError, WaitTimeout } from './foyer';

test('a wait in vain and an error say what there was', async ({ workspace }) => {
  const timeout = await workspace.mailbox.wait({ to: 'nobody@example.com' }, 0).catch((e) => e);
  expect(timeout instanceof WaitTimeout).toBe(true);
  expect(timeout.status).toBe(504);
  expect(timeout.detail.includes('nobody@example.com')).toBe(true);
  const invalid = await workspace.faults.add('rain').catch((e) => e);
  expect(invalid instanceof FoyerError && !(invalid instanceof WaitTimeout)).toBe(true);
  expect(invalid.errors[0].pointer).toBe('/kind');
});

test('faults and rules affect requests', async ({ workspace: { exchanges, faults, rules } }) => {
  await faults.add('status', { status: 503, times: 1 });
  expect((await exchanges.send('mystica', '/auth/me')).status).toBe(503);
  await rules.respond({ status: 418 }, { path: '/auth/me' });
  expect((await exchanges.send('mystica', '/auth/me')).status).toBe(418);
  await rules.pauseRequests({ path: '/auth/login' });
  const login = exchanges.send('mystica', '/auth/login', { method: 'POST' });
  await rules.continue((await rules.wait({ phase: 'request' })).exchange, { body: '{}' });
  expect((await login).request.body).toBe('{}');
  expect((await exchanges.all({ rule: 'applied' })).length).toBe(2);
  await exchanges.clear({ path: '/auth/me' });
  expect((await exchanges.all()).length).toBe(1);
});

test('an app on a second device has a user of its own', async ({ workspace }) => {
  const device = await workspace.devices.create({ label: 'Second' });
  const app = workspace.app('mystica', device.id);
  const { session } = await app.seed({ state: 'signedIn' });
  expect((await workspace.sessions.all())[0]?.id).toBe(session);
  const { id } = (await workspace.events.all()).at(-1)!;
  await app.storage.clear();
  expect((await workspace.events.wait({ after: id, kind: 'storage.deleted' })).device).toBe(device.id);
});

test('all workspaces of one worker are one test run', async ({ foyer }) => {
  const [first, second] = [await foyer.lease(), await foyer.lease({ ttl: 60 })];
  expect(first.run).toBe(second.run);
  for (const workspace of [first, second]) await workspace.delete();
  await first.delete();
  const ids = (await new Foyer().items<{ id: string }>('/api/workspaces')).map(({ id }) => id);
  expect(ids.includes(first.id)).toBe(false);
});
