import { resolve } from 'node:path'
import type { HubMessages } from '../../platform/cluster/hub-messages.ts'
import { parseNatsAddress } from '../../platform/cluster/nats-address.ts'
import { openNatsMessages } from '../../platform/cluster/nats-messages.ts'
import type { Clock } from '../../platform/clock.ts'
import { loadState } from '../../platform/db/hub-state.ts'
import { INSTANCE } from '../../platform/db/migrate.ts'
import { joinHubs, type Membership } from '../../platform/cluster/membership.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { Secret, type Options } from '../options/options.ts'

/** Map of the command-line options for several hubs on one database: for each its environment variables, help text and parser. */
export const clusterOptions = {
  nats: {
    environment: ['VEDETTE_NATS', 'NATS_URL'],
    shape: 'URL',
    doc: 'NATS servers (`nats://` or `tls://user:password@host:4222`, separated by commas) over which the hubs of one PostgreSQL database talk. Lets several hubs share the database.',
    parse: parseNatsServers,
  },
  natsCredentials: {
    environment: ['VEDETTE_NATS_CREDENTIALS'],
    shape: 'FILE',
    doc: 'Credentials file for the NATS servers, as `nsc` writes it.',
    parse: (text: string) => resolve(text),
  },
  hubName: {
    environment: ['VEDETTE_HUB_NAME'],
    shape: 'NAME',
    doc: 'Name of this hub among the hubs of one database; the host name when it is not given.',
    parse: parseHubName,
  },
} as const satisfies Options

/** Value of the options for NATS: `servers`, URLs separated by commas that may contain passwords, and the path of a credentials file. */
export type NatsServers = { readonly servers: Secret; readonly credentialsFile: string | undefined }

/**
 * Connection of this hub to the other hubs of its PostgreSQL database. `membership` is its row in the table of hubs; `messages` is
 * `undefined` when it uses the database alone.
 */
export type Cluster = { readonly membership: Membership; readonly messages: HubMessages | undefined }

type ClusterParts = {
  readonly config: { readonly nats: NatsServers | undefined; readonly hubName: string }
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly stack: AsyncDisposableStack
  readonly id: string
  readonly endedHub: string | undefined
}

/**
 * Joins the hubs of a PostgreSQL database and connects to them; resolves with `undefined` on SQLite. Rejects with `HubRefusedError` or
 * `HubMessagesUnusableError` when this hub may not start.
 */
export async function joinCluster(parts: ClusterParts): Promise<Cluster | undefined> {
  const { config, database, clock, log, stack, id, endedHub } = parts
  if (database.name === 'sqlite') return undefined
  const shares = config.nats !== undefined
  const messages = config.nats && (await openMessages(config.nats, parts))
  const membership = stack.use(await joinHubs({ database, log, clock, name: config.hubName, shares, id, endedHub }))
  return { membership, messages }
}

async function openMessages({ servers, credentialsFile }: NatsServers, { config, database, clock, log, stack, id }: ClusterParts) {
  const address = parseNatsAddress(servers.reveal(), credentialsFile)
  const instance = (await loadState(database.kysely, INSTANCE)) ?? ''
  const messages = await openNatsMessages({ address, database: instance, hub: id, name: config.hubName, log, clock })
  stack.defer(messages.close)
  return messages
}

/**
 * Returns a promise that resolves to a sentence for the operator when another hub has replaced this one among the hubs of the database. It
 * never resolves on SQLite (`cluster` is `undefined`).
 */
export async function replacedIn(cluster: Cluster | undefined): Promise<string> {
  if (cluster === undefined) return new Promise(() => {})
  return (await cluster.membership.replaced).message
}

/**
 * Parses the option `--nats` and returns its text as a secret. Throws a `RangeError` without the URL's text, which may contain a password.
 */
function parseNatsServers(text: string): Secret {
  parseNatsAddress(text)
  return new Secret(text)
}

function parseHubName(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text
  throw new RangeError(`"${text}" is not the name of a hub: 1 to 64 letters, digits, dots, dashes and underscores`)
}
