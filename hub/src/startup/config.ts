import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { SignInOverrides } from '../accounts/sessions/sign-in-settings.ts'
import type { HeartbeatTarget } from '../operations/heartbeat/heartbeat.ts'
import type { LogLevel } from '../platform/log.ts'
import { clusterOptions, type NatsServers } from './hubs/cluster.ts'
import { databaseOptions, databaseServerOf, type DatabaseServer } from './options/database-options.ts'
import { listenAddressOf, listenContradictions, listenOptions, parseHttpUrl, tlsFilesOf } from './options/listen-options.ts'
import { parseOptions, Secret, type Environment, type Options, type Values } from './options/options.ts'

import type { ListenAddress } from '../platform/http/listening/listen-address.ts'
import type { TlsFiles } from '../platform/http/listening/tls-files.ts'

export const hubOptions = {
  ...listenOptions,
  ...databaseOptions,
  ...clusterOptions,
  adminEmail: {
    environment: ['VEDETTE_ADMIN_EMAIL', 'BESZEL_HUB_USER_EMAIL', 'USER_EMAIL'],
    shape: 'EMAIL',
    doc: 'Creates the first admin at the first start; needs the password too.',
    parse: parseEmail,
  },
  adminPassword: {
    environment: ['VEDETTE_ADMIN_PASSWORD', 'BESZEL_HUB_USER_PASSWORD', 'USER_PASSWORD'],
    shape: 'TEXT',
    doc: 'Password of that first admin, at least 8 characters. Use the environment rather than the flag: other users can read flags.',
    parse: parsePassword,
  },
  enrollTokenFile: {
    environment: ['VEDETTE_ENROLL_TOKEN_FILE'],
    shape: 'FILE',
    doc: 'File with a token that registers the agent beside this hub, once.',
    parse: (text: string) => resolve(text),
  },
  webRoot: {
    environment: ['VEDETTE_WEB_ROOT'],
    shape: 'DIR',
    doc: 'Folder of the built dashboard. Default: the one beside the program.',
    parse: (text: string) => resolve(text),
  },
  agentRoot: {
    environment: ['VEDETTE_AGENT_ROOT'],
    shape: 'DIR',
    doc: 'Folder of the built agents that machines download from `/agent/`. Default: the one beside the program.',
    parse: (text: string) => resolve(text),
  },
  agentImage: {
    environment: ['VEDETTE_AGENT_IMAGE'],
    shape: 'NAME',
    standard: 'vedette-monitor/vedette-agent',
    doc: 'Container image in the compose text of the Add System dialog.',
    parse: parseImage,
  },
  agentUpdateHint: {
    environment: ['VEDETTE_AGENT_UPDATE_HINT'],
    shape: 'BOOLEAN',
    standard: 'true',
    doc: 'Shows in the dashboard which agents are older than those that this hub offers, and the command that updates them.',
    parse: parseFlag,
  },
  mfaOtp: {
    environment: ['VEDETTE_MFA_OTP', 'BESZEL_HUB_MFA_OTP', 'MFA_OTP'],
    shape: 'WHO',
    standard: 'false',
    doc: 'Requires an emailed code besides the password: for everybody (`true`), for admins (`superusers`) or for nobody (`false`).',
    parse: parseMfaOtp,
  },
  disablePasswordAuth: {
    environment: ['VEDETTE_DISABLE_PASSWORD_AUTH', 'BESZEL_HUB_DISABLE_PASSWORD_AUTH', 'DISABLE_PASSWORD_AUTH'],
    shape: 'BOOLEAN',
    standard: 'false',
    doc: 'Disables sign-in with a password, except for admins in the back-office.',
    parse: parseFlag,
  },
  userCreation: {
    environment: ['VEDETTE_USER_CREATION', 'BESZEL_HUB_USER_CREATION', 'USER_CREATION'],
    shape: 'BOOLEAN',
    standard: 'false',
    doc: 'Creates an account when somebody without one signs in through a provider or the header of a proxy.',
    parse: parseFlag,
  },
  containerDetails: {
    environment: ['VEDETTE_CONTAINER_DETAILS', 'BESZEL_HUB_CONTAINER_DETAILS', 'CONTAINER_DETAILS'],
    shape: 'BOOLEAN',
    standard: 'true',
    doc: 'Lets users see logs and configuration of the containers of systems that are shared with them.',
    parse: parseFlag,
  },
  internalDestinations: {
    environment: ['VEDETTE_INTERNAL_DESTINATIONS'],
    shape: 'BOOLEAN',
    standard: 'false',
    doc: 'Lets every user send notifications to private and loopback addresses. Admins always may; link-local addresses are never allowed.',
    parse: parseFlag,
  },
  upgradeWithoutBackup: {
    environment: ['VEDETTE_UPGRADE_WITHOUT_BACKUP'],
    shape: 'BOOLEAN',
    standard: 'false',
    doc: 'Lets a new version upgrade the database without a backup before, for example if the database server makes its own.',
    parse: parseFlag,
  },
  heartbeatUrl: {
    environment: ['VEDETTE_HEARTBEAT_URL', 'BESZEL_HUB_HEARTBEAT_URL', 'HEARTBEAT_URL'],
    shape: 'URL',
    doc: 'Address to which the hub regularly sends that it is alive, with the state of its systems.',
    parse: (text: string) => new Secret(parseHttpUrl(text)),
  },
  heartbeatInterval: {
    environment: ['VEDETTE_HEARTBEAT_INTERVAL', 'BESZEL_HUB_HEARTBEAT_INTERVAL', 'HEARTBEAT_INTERVAL'],
    shape: 'SECONDS',
    standard: '60',
    doc: 'Interval of these messages in seconds, 1 to 86400.',
    parse: parseSeconds,
  },
  heartbeatMethod: {
    environment: ['VEDETTE_HEARTBEAT_METHOD', 'BESZEL_HUB_HEARTBEAT_METHOD', 'HEARTBEAT_METHOD'],
    shape: 'METHOD',
    standard: 'POST',
    doc: 'HTTP method of these messages: POST, or GET or HEAD without a body.',
    parse: parseHeartbeatMethod,
  },
  logLevel: {
    environment: ['VEDETTE_LOG_LEVEL'],
    shape: 'LEVEL',
    standard: 'info',
    doc: 'Lowest level that is logged: debug, info, warn or error.',
    parse: parseLogLevel,
  },
} as const satisfies Options

export type HubConfig = {
  readonly listen: ListenAddress
  /** Paths of the PEM files with the certificate and its private key for HTTPS; `undefined` for plain HTTP. */
  readonly tls: TlsFiles | undefined
  readonly dataDirectory: string
  /**
   * Path of the mounted folder for backups, from the option `--backups`. `undefined`: the folder `backups` in the data directory is used.
   */
  readonly backupFolder: string | undefined
  /** Address and limits of PostgreSQL; `undefined` for the embedded SQLite database. */
  readonly database: DatabaseServer | undefined
  readonly secretKey: Secret | undefined
  readonly nats: NatsServers | undefined
  readonly hubName: string
  readonly appUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** Name of the header by which proxies in `--trusted-proxies` sign users in, in lower case; `undefined` for none. */
  readonly authHeader: string | undefined
  readonly firstAdmin: { readonly email: string; readonly password: Secret } | undefined
  readonly enrollFolder: string | undefined
  readonly enrollTokenFile: string | undefined
  readonly webRoot: string | undefined
  readonly agentRoot: string | undefined
  readonly agentImage: string
  readonly agentUpdateHint: boolean
  readonly signIn: SignInOverrides
  readonly createUsers: boolean
  readonly containerDetails: boolean
  /** True when users who are not admins may let the hub send notifications to internal networks. */
  readonly internalDestinations: boolean
  /** True when the hub may upgrade an existing database without making a backup before. */
  readonly upgradeWithoutBackup: boolean
  readonly heartbeat: HeartbeatTarget | undefined
  readonly logLevel: LogLevel
}

export type ConfigResult = { readonly ok: true; readonly config: HubConfig } | { readonly ok: false; readonly problems: readonly string[] }

export function parseHubConfig(args: readonly string[], environment: Environment): ConfigResult {
  const parsed = parseOptions(hubOptions, args, environment)
  if (!parsed.ok) return parsed
  const { values, rest } = parsed
  const problems = rest.map((word) => `${word}: there is no such argument`)
  problems.push(...contradictions(values), ...listenContradictions(values))
  if (problems.length > 0) return { ok: false, problems }
  const { adminEmail, adminPassword, heartbeatUrl, heartbeatMethod, heartbeatInterval } = values
  return {
    ok: true,
    config: Object.freeze({
      listen: listenAddressOf(values),
      tls: tlsFilesOf(values),
      dataDirectory: values.data,
      backupFolder: values.backups,
      database: databaseServerOf(values),
      secretKey: values.secretKey,
      nats: values.nats && { servers: values.nats, credentialsFile: values.natsCredentials },
      hubName: values.hubName ?? hostname(),
      appUrl: values.appUrl,
      trustedProxies: values.trustedProxies ?? [],
      authHeader: values.authHeader,
      firstAdmin: adminEmail !== undefined && adminPassword !== undefined ? { email: adminEmail, password: adminPassword } : undefined,
      enrollFolder: values.enrollFolder,
      enrollTokenFile: values.enrollTokenFile,
      webRoot: values.webRoot,
      agentRoot: values.agentRoot,
      agentImage: values.agentImage,
      agentUpdateHint: values.agentUpdateHint,
      createUsers: values.userCreation,
      signIn: { passwordOff: values.disablePasswordAuth, mfa: values.mfaOtp },
      containerDetails: values.containerDetails,
      internalDestinations: values.internalDestinations,
      upgradeWithoutBackup: values.upgradeWithoutBackup,
      heartbeat:
        heartbeatUrl === undefined ? undefined : { url: heartbeatUrl, method: heartbeatMethod, intervalSeconds: heartbeatInterval },
      logLevel: values.logLevel,
    }),
  }
}

/**
 * Returns one sentence for each combination of the hub's options that is not allowed, such as an option that needs another one. Empty if
 * there is none.
 */
function contradictions(values: Values<typeof hubOptions>): readonly string[] {
  const { adminEmail, adminPassword, database, databasePooler, nats, natsCredentials } = values
  const problems = {
    '--admin-email and --admin-password: the first admin needs both': (adminEmail === undefined) !== (adminPassword === undefined),
    '--database-pooler: give the address of PostgreSQL itself too, with --database': databasePooler !== undefined && database === undefined,
    '--nats: several hubs need one PostgreSQL database; give it with --database, or leave --nats out':
      nats !== undefined && database === undefined,
    '--nats-credentials: there are no servers for it; give them with --nats': natsCredentials !== undefined && nats === undefined,
  }
  return Object.entries(problems).flatMap(([problem, isMet]) => (isMet ? [problem] : []))
}

/**
 * Returns the option's text unchanged if it is a container image name with optional registry, tag and digest, which needs no quotes in a
 * shell. Throws a `RangeError` for any other text.
 */
function parseImage(text: string): string {
  if (/^[a-z0-9][\w./:@-]{0,254}$/.test(text)) return text
  throw new RangeError(`"${text}" is not the name of an image, such as registry.example.org/vedette-agent:1.0`)
}

function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new RangeError(`"${text}" is not an e-mail address`)
  return text
}

const MIN_PASSWORD = 8
function parsePassword(text: string): Secret {
  if (text.length < MIN_PASSWORD) throw new RangeError(`expected at least ${MIN_PASSWORD} characters, got ${text.length}`)
  return new Secret(text)
}

const MOST_SECONDS = 86_400
function parseSeconds(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > MOST_SECONDS) throw new RangeError(`"${text}" is not a whole number from 1 to ${MOST_SECONDS}`)
  return seconds
}

function parseHeartbeatMethod(text: string): HeartbeatTarget['method'] {
  if (text === 'POST' || text === 'GET' || text === 'HEAD') return text
  throw new RangeError(`"${text}" is not one of POST, GET, HEAD`)
}

function parseMfaOtp(text: string): SignInOverrides['mfa'] {
  if (text === 'superusers') return 'admins'
  if (text === 'true' || text === 'false') return text === 'true' ? 'everybody' : undefined
  throw new RangeError(`"${text}" is not one of true, superusers, false`)
}

function parseFlag(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new RangeError(`"${text}" is not true or false`)
}

function parseLogLevel(text: string): LogLevel {
  if (text === 'debug' || text === 'info' || text === 'warn' || text === 'error') return text
  throw new RangeError(`"${text}" is not one of debug, info, warn, error`)
}
