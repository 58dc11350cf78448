import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Transaction } from 'kysely'
import type { Database } from '../database.ts'
import { createFirstTables } from './0001-first-tables.ts'
import { addServicesAndDrives } from './0002-services-and-drives.ts'
import { addHistoryBlocks } from './0003-history-blocks.ts'
import { findAgentsByToken } from './0004-agents-by-token.ts'
import { addMailOutbox } from './0005-mail-outbox.ts'
import { addSignInTraces } from './0006-sign-in-traces.ts'
import { addSessions } from './0007-sessions.ts'
import { addAuditLog } from './0008-audit-log.ts'
import { addAlerts } from './0009-alerts.ts'
import { addDeliveries } from './0010-deliveries.ts'
import { addSystemEvents } from './0011-system-events.ts'
import { addAlertTargets } from './0012-alert-targets.ts'
import { addLogs } from './0013-logs.ts'
import { addHubHealth } from './0014-hub-health.ts'
import { addDueTimes } from './0015-due-times.ts'
import { addHubs } from './0016-hubs.ts'
import { addSharedDecisions } from './0017-shared-decisions.ts'
import { findOpenSamples } from './0018-open-samples.ts'
import { addHubSchemas } from './0019-hub-schemas.ts'
import { addContainerLimits } from './0020-container-limits.ts'
import { addContainerEvents } from './0021-container-events.ts'
import { addContainerProjects } from './0022-container-projects.ts'
import { addApiKeys } from './0023-api-keys.ts'
import { addTagsAndGroups } from './0024-tags-and-groups.ts'
import { addSavedViews } from './0025-saved-views.ts'
import { addSecondFactors } from './0026-second-factors.ts'
import { addTagRules } from './0027-tag-rules.ts'
import { addSystemNotes } from './0028-system-notes.ts'
import { addClaimedGroups } from './0029-claimed-groups.ts'
import { addDeletedTags } from './0030-deleted-tags.ts'
import { addAlertPolicies } from './0031-alert-policies.ts'
import { addSilencedIncidents } from './0032-silenced-incidents.ts'
import { addAcknowledgements } from './0033-acknowledgements.ts'
import { addSeverities } from './0034-severities.ts'
import { rewriteSystems } from './0035-rewritten-systems.ts'
import { addEscalations } from './0036-escalations.ts'
import type { Tables } from '../schema.ts'

/**
 * Function that upgrades the database tables by one schema number, within the given transaction. `database` is `sqlite` or `postgres`. A
 * released migration never changes; a correction is a new migration.
 */
export type Migration = (transaction: Transaction<Tables>, database: Database['name']) => Promise<void>

/**
 * Entry for a migration (its number, from 1) that removes something, such as a column. `schema` and `version` are those of the first hub
 * version that works without it, so older hubs cannot use the database afterwards.
 */
export type Contraction = { readonly migration: number; readonly schema: number; readonly version: string }

/**
 * Version of the hub program: its version number, its list of migrations, and those of them that remove something. It is compared with the
 * state of a database.
 */
export type Program = {
  readonly version: string
  /** List of all migrations, in order. A database's schema version is the number of migrations that have run. */
  readonly migrations: readonly Migration[]
  /**
   * List of the migrations that remove something that older programs need, in order. An older program can use the tables after any other
   * migration.
   */
  readonly contractions: readonly Contraction[]
}

export const thisProgram: Program = {
  version: VEDETTE_VERSION,
  migrations: [
    createFirstTables,
    addServicesAndDrives,
    addHistoryBlocks,
    findAgentsByToken,
    addMailOutbox,
    addSignInTraces,
    addSessions,
    addAuditLog,
    addAlerts,
    addDeliveries,
    addSystemEvents,
    addAlertTargets,
    addLogs,
    addHubHealth,
    addDueTimes,
    addHubs,
    addSharedDecisions,
    findOpenSamples,
    addHubSchemas,
    addContainerLimits,
    addContainerEvents,
    addContainerProjects,
    addApiKeys,
    addTagsAndGroups,
    addSavedViews,
    addSecondFactors,
    addTagRules,
    addSystemNotes,
    addClaimedGroups,
    addDeletedTags,
    addAlertPolicies,
    addSilencedIncidents,
    addAcknowledgements,
    addSeverities,
    rewriteSystems,
    addEscalations,
  ],
  contractions: [{ migration: 18, schema: 18, version: '0.1.0' }],
}
