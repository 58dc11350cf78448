import { collectionsOf } from '../model/collection.ts'
import { alerts } from './alerts.ts'
import { alertPolicies } from './alert-policies.ts'
import { alertsHistory } from './alerts-history.ts'
import { containers } from './containers.ts'
import { fingerprints } from './fingerprints.ts'
import { groups } from './groups.ts'
import { quietHours } from './quiet-hours.ts'
import { savedViews } from './saved-views.ts'
import { containerStats, systemStats } from './stats.ts'
import { authOrigins, externalAuths, mfas, otps } from './sign-in-traces.ts'
import { smartDevices } from './smart-devices.ts'
import { superusers } from './superusers.ts'
import { systemDetails } from './system-details.ts'
import { systemFields } from './system-fields.ts'
import { systemNotes } from './system-notes.ts'
import { systemdServices } from './systemd-services.ts'
import { systems } from './systems.ts'
import { tagRules } from './tag-rules.ts'
import { tagAccess } from './tag-access.ts'
import { universalTokens } from './universal-tokens.ts'
import { userSettings } from './user-settings.ts'
import { users } from './users.ts'

/** All collections of the records API in one object, with functions to find one by name or id. */
export const collections = collectionsOf([
  users,
  systems,
  systemStats,
  containerStats,
  alerts,
  alertPolicies,
  alertsHistory,
  fingerprints,
  systemDetails,
  containers,
  systemdServices,
  smartDevices,
  userSettings,
  quietHours,
  universalTokens,
  savedViews,
  groups,
  tagAccess,
  superusers,
  externalAuths,
  mfas,
  otps,
  authOrigins,
  tagRules,
  systemFields,
  systemNotes,
])
