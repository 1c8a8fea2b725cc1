/**
 * A typed client of Foyer's API, with fixtures for Playwright Test.
 *
 *     import { test, expect } from './foyer';
 *
 *     test.use({ seed: { app: 'mystica', state: 'signedIn', accessTokenTTL: 60 } });
 *     test('an expired token is refreshed', async ({ page, workspace }) => {
 *       await workspace.clock.advance(61);
 *       await page.goto('/apps/mystica/');
 *       expect((await workspace.sessions.get(workspace.session)).refreshCount).toBe(1);
 *     });
 *
 * `FOYER_URL` is the address of Foyer, `http://127.0.0.1:7070` by default, and `FOYER_KEY` its key.
 * Fields, filters and settings have the names of the API (`/api/openapi.json`), and `request` calls
 * what has no method here. `Foyer` is the client of the workspace `main`, a lease that of its own.
 * Without Playwright, remove the fixtures at the end and the import.
 */

import { test as base } from '@playwright/test';

declare const process: {
  env: { FOYER_URL?: string; FOYER_KEY?: string; FOYER_RUN?: string; TEST_WORKER_INDEX?: string };
  pid: number;
  ppid: number;
};

type Values = Record<string, unknown>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The user with which a workspace begins. */
export interface Seed {
  app: string;
  state?: 'unverified' | 'verified' | 'locked' | 'signedIn' | 'expired' | 'revoked';
  /** Generated if omitted. */
  user?: { email?: string; password?: string; displayName?: string };
  accessTokenTTL?: number;
}

export interface User {
  id: string;
  /** Null in an app that signs in its device. */
  email: string;
  password: string;
}

/** The argument `storageState` of a browser's context: the key, the workspace, the device. */
export interface StorageState {
  cookies: {
    name: string; value: string; domain: string; path: string; expires: number;
    httpOnly: boolean; secure: boolean; sameSite: 'Strict' | 'Lax' | 'None';
  }[];
  origins: [];
}

export interface Lease {
  id: string;
  device: string;
  user: User | null;
  session: string | null;
  storageState: StorageState;
  /** The base URL of each app's embedded backend. */
  backendBase: Record<string, string>;
  /** The number of the test run, for `GET /api/apps/{app}/map?run=`. */
  run: number;
}

export interface ClockState {
  now: string;
  real: string;
  offset: number;
  frozen: boolean;
  note: string | null;
}

export interface MailFilter { to?: string; app?: string; purpose?: string; channel?: string }

export interface Mail {
  id: string;
  channel: 'mail' | 'textMessage';
  app: string | null;
  to: string;
  subject: string;
  purpose: string | null;
  code: string | null;
  link: string | null;
  expiresAt: string | null;
  usedAt: string | null;
  sentAt: string;
  isRead: boolean;
}

export interface MailDetail extends Mail { text: string; html: string | null; headers: Header[] }

export interface Header { name: string; value: string }

export interface ExchangeFilter {
  app?: string;
  device?: string;
  call?: string;
  cause?: string;
  method?: string;
  host?: string;
  path?: string;
  /** 401, 4xx, error, failed */
  status?: string | number;
  fault?: 'applied';
  rule?: 'applied';
  token?: 'yes' | 'no';
  since?: string;
  until?: string;
  q?: string;
}

export interface Exchange {
  id: string;
  app: string;
  device: string | null;
  backend: string;
  call: string | null;
  cause: string;
  attempt: number;
  method: string;
  url: string;
  status: number | null;
  failure: { kind: string; detail: string } | null;
  startedAt: string;
  fault: string | null;
  rules: Values[];
}

export interface Message { headers: Header[]; body: string; encoding: 'utf-8' | 'base64' }

export interface ExchangeDetail extends Exchange {
  checks: Values[];
  request: Message;
  response: Message | null;
}

export interface NewRequest {
  backend?: string;
  device?: string;
  useAccessToken?: boolean;
  method?: string;
  headers?: Header[];
  body?: string;
}

export type SessionState = 'active' | 'expired' | 'revoked' | 'signedOut';

export interface SessionFilter {
  app?: string;
  device?: string;
  backend?: string;
  state?: SessionState;
  outOfSync?: true;
  q?: string;
}

export interface Session {
  id: string;
  app: string;
  device: string;
  backend: string;
  user: { id: string | null; email: string | null };
  state: SessionState;
  createdAt: string;
  refreshedAt: string | null;
  refreshCount: number;
  endedAt: string | null;
  accessToken: Values | null;
  refreshToken: Values | null;
  discrepancyCount: number;
}

export interface SessionDetail extends Session {
  family: Values | null;
  comparison: Values[];
  discrepancies: Values[];
  archivedTokens: Values[];
}

export interface FaultSettings {
  app?: string;
  device?: string;
  call?: string;
  times?: number;
  phase?: 'before' | 'after';
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  delay?: number;
  retryAfter?: number;
  skew?: number;
}

export interface Fault {
  id: string;
  kind: string;
  app: string | null;
  device: string | null;
  call: string | null;
  times: number | null;
  applied: number;
  remaining: number | null;
  text: string;
}

export interface RuleMatch {
  method?: string;
  host?: string;
  path?: string;
  app?: string;
  device?: string;
  call?: string;
  /** Of a pause, in seconds. */
  timeout?: number;
}

export interface RuleResponse {
  status?: number;
  headers?: Header[];
  contentType?: string;
  body?: string;
  encoding?: 'utf-8' | 'base64';
}

export interface Rule { id: string; kind: string; enabled: boolean }

export type Phase = 'request' | 'response';

/** A paused request, or a response; its secrets are placeholders, which edits may contain. */
export interface Paused {
  exchange: string;
  phase: Phase;
  app: string;
  call: string | null;
  method: string;
  url: string;
  path: string;
  request: { headers: Header[]; body: string | null };
  response: { status: number; headers: Header[]; body: string | null } | null;
}

export interface Edit {
  method?: string;
  path?: string;
  status?: number;
  headers?: Header[];
  body?: string;
}

export interface DeviceOptions {
  label?: string;
  build?: string;
  biometrics?: string | { kind?: string; enrolled?: boolean; next?: string };
  size?: string;
  orientation?: string;
  appearance?: string;
  textSize?: string;
}

export interface Device {
  id: string;
  label: string;
  build: string;
  size: string;
  orientation: string;
  appearance: string;
  textSize: string;
}

export interface NewDevice extends Device { cookies: StorageState['cookies'] }

export interface AppState {
  app: string;
  device: string;
  screen: string;
  inBackground: boolean;
  linkedScreen: string | null;
  backend: string;
  base: string;
  session: Session | null;
  storage: Values[];
  notice: string | null;
}

export interface SeededUser { user: User; session: string | null }

export interface AccountFilter { app?: string; state?: string; q?: string }

export interface NewAccount {
  email?: string;
  password?: string;
  state?: 'unverified' | 'verified' | 'locked';
  displayName?: string;
  accessTokenTTL?: number;
}

export interface AccountChange {
  verified?: boolean;
  disabled?: boolean;
  locked?: boolean;
  lockSeconds?: number;
  password?: string;
  signOut?: boolean;
  accessTokenTTL?: number | null;
  removeFactors?: string[];
  removeIdentities?: string[];
  metadata?: Record<string, Record<string, unknown>>;
}

export interface Account {
  id: string;
  app: string;
  email: string | null;
  phone: string | null;
  displayName: string | null;
  state: string;
  sessions: number;
}

/** With the password, if it was generated. */
export interface CreatedAccount extends Account { password: string | null }

export interface Snapshot {
  id: string;
  name: string;
  device: string;
  app: string | null;
  createdAt: string;
}

export interface EventFilter { kind?: string; app?: string; device?: string; subject?: string }

export interface Event {
  id: number;
  at: string;
  kind: string;
  app: string | null;
  device: string | null;
  cause: number | null;
  subject: string | null;
  title: string;
}

/** A field of the body, or a parameter of the query. */
export interface InvalidField { pointer?: string; parameter?: string; detail: string }

interface Problem { title: string; detail: string; errors?: InvalidField[] }

/** An error response: its status, what went wrong, and where exactly and how to fix it. */
export class FoyerError extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: InvalidField[];

  constructor(request: string, status: number, problem: Problem) {
    super(`${request}: ${status} ${problem.title}. ${problem.detail}`);
    this.name = new.target.name;
    this.status = status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
  }
}

/** A wait in vain; `detail` says what there was instead. */
export class WaitTimeout extends FoyerError {}

/** The part of Foyer's API that concerns one kind of thing. */
class Part {
  protected readonly foyer: Foyer;

  constructor(foyer: Foyer) {
    this.foyer = foyer;
  }
}

/** The workspace's clock, which tokens, codes, rate limits and countdowns follow. */
class Clock extends Part {
  read(): Promise<ClockState> {
    return this.foyer.request('GET', '/api/clock');
  }

  advance(seconds: number): Promise<ClockState> {
    return this.set({ advance: seconds });
  }

  /** Sets the difference from the system time; 0 returns to it. */
  setOffset(seconds: number): Promise<ClockState> {
    return this.set({ offset: seconds });
  }

  setTime(at: Date): Promise<ClockState> {
    return this.set({ at });
  }

  freeze(): Promise<ClockState> {
    return this.set({ freeze: true });
  }

  resume(): Promise<ClockState> {
    return this.set({ freeze: false });
  }

  private set(change: Values): Promise<ClockState> {
    return this.foyer.request('PATCH', '/api/clock', change);
  }
}

/** The messages that backends sent in the workspace. */
class Mailbox extends Part {
  all(filter: MailFilter = {}): Promise<Mail[]> {
    return this.foyer.items('/api/mailbox', filter);
  }

  /** Waits for a message, and returns it with its `code` and its `link`. */
  wait(filter: MailFilter & { since?: string } = {}, timeout = 10): Promise<MailDetail> {
    return this.foyer.wait('/api/mailbox/wait', filter, timeout);
  }

  get(mail: string): Promise<MailDetail> {
    return this.foyer.request('GET', `/api/mailbox/${mail}`);
  }

  delete(mail: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/mailbox/${mail}`);
  }

  clear(): Promise<void> {
    return this.foyer.request('DELETE', '/api/mailbox');
  }
}

/** The recorded requests and their responses. */
class Exchanges extends Part {
  /** Those that match, newest first. */
  all(filter: ExchangeFilter = {}): Promise<Exchange[]> {
    return this.foyer.items('/api/exchanges', filter);
  }

  /** The newest that matches, as soon as there is one. */
  wait(filter: ExchangeFilter = {}, timeout = 10): Promise<ExchangeDetail> {
    return this.foyer.wait('/api/exchanges/wait', filter, timeout);
  }

  get(exchange: string): Promise<ExchangeDetail> {
    return this.foyer.request('GET', `/api/exchanges/${exchange}`);
  }

  /** Sends a request below the base URL of an app's backend. */
  send(app: string, path: string, request: NewRequest = {}): Promise<ExchangeDetail> {
    return this.foyer.request('POST', '/api/exchanges', { app, path, ...request });
  }

  delete(exchange: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/exchanges/${exchange}`);
  }

  /** Deletes those that match, or all. */
  clear(filter: ExchangeFilter = {}): Promise<void> {
    return this.foyer.request('DELETE', '/api/exchanges', undefined, filter);
  }
}

/** The sessions of the workspace's devices. */
class Sessions extends Part {
  all(filter: SessionFilter = {}): Promise<Session[]> {
    return this.foyer.items('/api/sessions', filter);
  }

  /** With the mismatches between device, token and server. */
  get(session: string): Promise<SessionDetail> {
    return this.foyer.request('GET', `/api/sessions/${session}`);
  }

  /** Waits for a state, by default for any that is not active. */
  wait(session: string, state?: SessionState, timeout = 10): Promise<Session> {
    return this.foyer.wait(`/api/sessions/${session}/wait`, { state }, timeout);
  }

  refresh(session: string): Promise<Session> {
    return this.foyer.request('POST', `/api/sessions/${session}/refresh`);
  }

  testRefresh(
    session: string,
    test: { kind: 'concurrent' | 'replay' | 'dropResponse'; generation?: number; token?: number },
  ): Promise<{ requests: Values[] }> {
    return this.foyer.request('POST', `/api/sessions/${session}/refresh-tests`, test);
  }

  signOut(session: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/sessions/${session}`);
  }

  /** Signs out those that match, or all. */
  signOutAll(filter: SessionFilter = {}): Promise<{ signedOut: number; failed: number }> {
    return this.foyer.request('DELETE', '/api/sessions', undefined, filter);
  }
}

/** Simulated failures of the next requests. */
class Faults extends Part {
  all(): Promise<Fault[]> {
    return this.foyer.items('/api/faults');
  }

  add(kind: string, settings: FaultSettings = {}): Promise<Fault> {
    return this.foyer.request('POST', '/api/faults', { kind, ...settings });
  }

  presets(): Promise<{ id: string; name: string; text: string }[]> {
    return this.foyer.items('/api/faults/presets');
  }

  async addPreset(preset: string, scope: { app?: string; device?: string } = {}): Promise<Fault[]> {
    const body = { preset, ...scope };
    return (await this.foyer.request<{ items: Fault[] }>('POST', '/api/faults', body)).items;
  }

  remove(fault: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/faults/${fault}`);
  }

  /** Turns off all faults, or those of a preset. */
  clear(preset?: string): Promise<void> {
    return this.foyer.request('DELETE', '/api/faults', undefined, { preset });
  }
}

/** Rules that pause requests or responses, or respond instead of the backend. */
class Rules extends Part {
  all(): Promise<Rule[]> {
    return this.foyer.items('/api/rules');
  }

  pauseRequests(match: RuleMatch = {}): Promise<Rule> {
    return this.foyer.request('POST', '/api/rules', { kind: 'pauseRequest', ...match });
  }

  pauseResponses(match: RuleMatch = {}): Promise<Rule> {
    return this.foyer.request('POST', '/api/rules', { kind: 'pauseResponse', ...match });
  }

  respond(response: RuleResponse, match: RuleMatch = {}): Promise<Rule> {
    return this.foyer.request('POST', '/api/rules', { kind: 'respond', ...match, response });
  }

  remove(rule: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/rules/${rule}`);
  }

  clear(): Promise<void> {
    return this.foyer.request('DELETE', '/api/rules');
  }

  paused(): Promise<Paused[]> {
    return this.foyer.items('/api/intercepted');
  }

  /** Waits for a paused request or response; returns the oldest. */
  wait(filter: { call?: string; phase?: Phase } = {}, timeout = 10): Promise<Paused> {
    return this.foyer.wait('/api/intercepted/wait', filter, timeout);
  }

  /** Lets a paused request or response continue, with edits or unchanged. */
  continue(exchange: string, edit: Edit = {}): Promise<void> {
    return this.foyer.request('POST', `/api/intercepted/${exchange}/continue`, edit);
  }

  abort(exchange: string): Promise<void> {
    return this.foyer.request('POST', `/api/intercepted/${exchange}/abort`);
  }
}

/** The simulated phones of the workspace. */
class Devices extends Part {
  all(): Promise<Device[]> {
    return this.foyer.items('/api/devices');
  }

  create(options: DeviceOptions = {}): Promise<NewDevice> {
    return this.foyer.request('POST', '/api/devices', options);
  }

  get(device: string): Promise<Device> {
    return this.foyer.request('GET', `/api/devices/${device}`);
  }

  update(device: string, options: DeviceOptions): Promise<Device> {
    return this.foyer.request('PATCH', `/api/devices/${device}`, options);
  }

  delete(device: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/devices/${device}`);
  }
}

/** An app on a device. */
class App extends Part {
  readonly path: string;
  readonly storage: Storage;

  constructor(foyer: Foyer, path: string) {
    super(foyer);
    this.path = path;
    this.storage = new Storage(foyer, `${path}/storage`);
  }

  state(): Promise<AppState> {
    return this.foyer.request('GET', this.path);
  }

  /** The app's debug log, one line per event. */
  log(): Promise<string> {
    return this.foyer.request('GET', `${this.path}/log`);
  }

  /** Restarts the app: a cold start. */
  relaunch(): Promise<AppState> {
    return this.act('relaunch');
  }

  /** Ends the app and restarts it; a running request's response is discarded. */
  forceQuit(): Promise<AppState> {
    return this.act('force-quit');
  }

  /** Sends the app to the background, where it makes no calls. */
  background(): Promise<AppState> {
    return this.act('background');
  }

  /** Brings the app back; it repeats the calls that load its screen. */
  foreground(): Promise<AppState> {
    return this.act('foreground');
  }

  /** Opens a link such as `atlas://settings`; the app remembers it until the sign-in. */
  openLink(link: string): Promise<AppState> {
    return this.act('link', { link });
  }

  crashDuringNextRequest(enabled = true): Promise<AppState> {
    return this.act('crash', { enabled });
  }

  expireAccessToken(): Promise<AppState> {
    return this.act('expire');
  }

  /** Creates a user and signs it in, as far as the seed's state goes. */
  seed(seed: Omit<Seed, 'app'> = {}): Promise<SeededUser> {
    return this.foyer.request('POST', `${this.path}/seed`, seed);
  }

  /** Replaces the app's stored data with that of another device. */
  copyFrom(device: string): Promise<AppState> {
    return this.act('copy', { from: device });
  }

  selectBackend(
    backend: string, options: { base?: string; settings?: Record<string, string> } = {},
  ): Promise<AppState> {
    return this.foyer.request('PATCH', this.path, { backend, ...options });
  }

  private act(action: string, body?: Values): Promise<AppState> {
    return this.foyer.request('POST', `${this.path}/${action}`, body);
  }
}

/** The values that an app stores on a device, unmasked. */
class Storage extends Part {
  readonly path: string;

  constructor(foyer: Foyer, path: string) {
    super(foyer);
    this.path = path;
  }

  async get(key: string): Promise<string> {
    return (await this.foyer.request<{ value: string }>('GET', `${this.path}/${key}`)).value;
  }

  set(key: string, value: string): Promise<AppState> {
    return this.foyer.request('PUT', `${this.path}/${key}`, { value });
  }

  delete(key: string): Promise<AppState> {
    return this.foyer.request('DELETE', `${this.path}/${key}`);
  }

  clear(): Promise<AppState> {
    return this.foyer.request('DELETE', this.path);
  }
}

/** The embedded backend's accounts. */
class Accounts extends Part {
  all(filter: AccountFilter = {}): Promise<Account[]> {
    return this.foyer.items('/api/accounts', filter);
  }

  /** Creates an account; email address and password are generated if omitted. */
  create(app: string, account: NewAccount = {}): Promise<CreatedAccount> {
    return this.foyer.request('POST', '/api/accounts', { app, ...account });
  }

  get(account: string): Promise<Account> {
    return this.foyer.request('GET', `/api/accounts/${account}`);
  }

  update(account: string, change: AccountChange): Promise<Account> {
    return this.foyer.request('PATCH', `/api/accounts/${account}`, change);
  }

  delete(account: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/accounts/${account}`);
  }
}

/** Stored states of a device and its accounts. */
class Snapshots extends Part {
  all(): Promise<Snapshot[]> {
    return this.foyer.items('/api/snapshots');
  }

  take(name: string, of: { device?: string; app?: string } = {}): Promise<Snapshot> {
    return this.foyer.request('POST', '/api/snapshots', { name, ...of });
  }

  /** Restores device and server; `note` is the effect on tokens, in words. */
  restore(snapshot: string): Promise<Snapshot & { note: string }> {
    return this.foyer.request('POST', `/api/snapshots/${snapshot}/restore`);
  }

  delete(snapshot: string): Promise<void> {
    return this.foyer.request('DELETE', `/api/snapshots/${snapshot}`);
  }
}

/** The timeline. */
class Events extends Part {
  /** The stored events after an event's id, oldest first. */
  all(filter: EventFilter & { after?: number } = {}): Promise<Event[]> {
    return this.foyer.items('/api/events', { format: 'json', ...filter });
  }

  /** Waits for an event, by default one from now on. */
  wait(filter: EventFilter & { after?: number } = {}, timeout = 10): Promise<Event> {
    return this.foyer.wait('/api/events/wait', filter, timeout);
  }

  /** Restores the event's app on its device to the state right after it. */
  restore(event: number): Promise<{ screen: string; note: string }> {
    return this.foyer.request('POST', `/api/events/${event}/restore`);
  }
}

/** Foyer as seen from one workspace: `main`, if none is given. */
export class Foyer {
  readonly url: string;
  readonly key: string | undefined;
  readonly workspace: string | undefined;
  readonly device: string | undefined;
  readonly clock = new Clock(this);
  readonly mailbox = new Mailbox(this);
  readonly exchanges = new Exchanges(this);
  readonly sessions = new Sessions(this);
  readonly faults = new Faults(this);
  readonly rules = new Rules(this);
  readonly devices = new Devices(this);
  readonly accounts = new Accounts(this);
  readonly snapshots = new Snapshots(this);
  readonly events = new Events(this);

  constructor(
    options: { url?: string; key?: string | undefined; workspace?: string; device?: string } = {},
  ) {
    const url = options.url || process.env.FOYER_URL || 'http://127.0.0.1:7070';
    this.url = url.replace(/\/+$/, '');
    this.key = options.key || process.env.FOYER_KEY;
    this.workspace = options.workspace;
    this.device = options.device;
  }

  /**
   * A new workspace, which expires after `ttl` seconds, one hour by default.
   *
   * Its screens count for the test run named `run`: by default `FOYER_RUN`, else one for this
   * process, or for all workers of Playwright.
   */
  async lease(
    options: { seed?: Seed | undefined; ttl?: number; run?: string; label?: string } = {},
  ): Promise<Workspace> {
    const body = { run: process.env.FOYER_RUN || runOfThisProcess, ...options };
    return new Workspace(this, await this.request<Lease>('POST', '/api/workspaces', body));
  }

  /** An app on a device, by default that of the workspace. */
  app(app: string, device = this.device): App {
    if (!device) throw new Error('Name the device: only a leased workspace has one by default.');
    return new App(this, `/api/devices/${device}/apps/${app}`);
  }

  /** Deletes all contents of the workspace. */
  reset(): Promise<void> {
    return this.request('POST', '/api/reset');
  }

  /**
   * Sends a request, and returns the parsed JSON, another type's text, or nothing.
   *
   * Throws a FoyerError for an error status.
   */
  async request<Result>(
    method: Method, path: string, body?: object, query: object = {},
  ): Promise<Result> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = new Headers();
    if (body) headers.set('Content-Type', 'application/json');
    if (this.key) headers.set('Authorization', `Bearer ${this.key}`);
    if (this.workspace) headers.set('X-Foyer-Workspace', this.workspace);
    if (this.device) headers.set('X-Foyer-Device', this.device);
    const data = body ? JSON.stringify(body) : null;
    const response = await fetch(url, { method, headers, body: data });
    const type = response.headers.get('Content-Type') ?? '';
    if (!response.ok) {
      const problem: Problem = type.startsWith('application/problem+json')
        ? await response.json()
        : { title: response.statusText, detail: `Is ${this.url} Foyer?` };
      const Kind = response.status === 504 ? WaitTimeout : FoyerError;
      throw new Kind(`${method} ${path}`, response.status, problem);
    }
    const text = await response.text();
    return (text && type.startsWith('application/json') ? JSON.parse(text) : text) as Result;
  }

  /** All elements of a list, from all its pages. */
  async items<Item>(path: string, query: object = {}): Promise<Item[]> {
    const items: Item[] = [];
    let after: unknown;
    do {
      const page: { items: Item[]; next?: unknown } = await this.request(
        'GET', path, undefined, after ? { ...query, after } : query);
      items.push(...page.items);
      after = page.next;
    } while (after);
    return items;
  }

  /** Waits for up to `timeout` seconds, at most 60; throws a WaitTimeout if in vain. */
  wait<Result>(path: string, query: object, timeout: number): Promise<Result> {
    return this.request('GET', path, undefined, { ...query, timeout });
  }
}

/** A leased workspace. */
export class Workspace extends Foyer {
  readonly id: string;
  readonly storageState: StorageState;
  readonly backendBase: Record<string, string>;
  readonly run: number;
  private readonly leased: Lease;

  constructor(foyer: Foyer, lease: Lease) {
    super({ url: foyer.url, key: foyer.key, workspace: lease.id, device: lease.device });
    this.id = lease.id;
    this.storageState = lease.storageState;
    this.backendBase = lease.backendBase;
    this.run = lease.run;
    this.leased = lease;
  }

  /** The seed's user with the password. */
  get user(): User {
    if (!this.leased.user) throw new Error('The workspace has no user: lease it with a seed.');
    return this.leased.user;
  }

  /** The id of the seed's session. */
  get session(): string {
    if (!this.leased.session) {
      throw new Error("The workspace has no session: its seed's state has none.");
    }
    return this.leased.session;
  }

  /** Lets the workspace expire `ttl` seconds from now. */
  extend(ttl: number): Promise<void> {
    return this.request('PATCH', `/api/workspaces/${this.id}`, { ttl });
  }

  /** Deletes the workspace; no error if it is gone already. */
  async delete(): Promise<void> {
    try {
      await this.request('DELETE', `/api/workspaces/${this.id}`);
    } catch (error) {
      if (!(error instanceof FoyerError && error.status === 404)) throw error;
    }
  }
}

/** Playwright's workers are processes of one parent; any other process is a test run of its own. */
const runOfThisProcess = process.env.TEST_WORKER_INDEX
  ? `playwright ${process.ppid}`
  : `node ${process.pid} ${Date.now()}`;

// --- fixtures of Playwright Test ------------------------------------------------------------------

export interface FoyerFixtures {
  /** The user with which the test's workspace begins: `test.use({ seed: … })`. */
  seed: Seed | undefined;
  /** A leased workspace for this test alone. */
  workspace: Workspace;
}

/** Playwright's `test`: its `page` and `context` are on the device of the test's workspace. */
export const test = base.extend<FoyerFixtures, { foyer: Foyer }>({
  /** The client of the workspace `main`. */
  foyer: [async ({}, use) => use(new Foyer()), { scope: 'worker' }],
  seed: [undefined, { option: true }],
  workspace: async ({ foyer, seed }, use) => {
    const workspace = await foyer.lease({ seed });
    await use(workspace);
    await workspace.delete();
  },
  baseURL: async ({ foyer }, use) => use(foyer.url),
  storageState: async ({ workspace }, use) => use(workspace.storageState),
});

export { expect } from '@playwright/test';
