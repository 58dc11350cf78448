import type { RequestAdmission } from '../../http/requests/request-admission.ts'
import type { Route } from '../../http/routing/define-route.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Realtime } from '../realtime/realtime.ts'
import { writeBatch } from './batch.ts'
import { openStream, subscribe } from './realtime.ts'
import { recordCrudRoutes } from './records.ts'

export type RecordRouteParts = {
  readonly engine: Engine
  readonly accounts: { readonly settings: Settings }
  readonly realtime: Realtime
  readonly admission: RequestAdmission
}

/** List of the routes of the records API (PocketBase-compatible CRUD API): records, batches and the event stream. */
export const recordRoutes: readonly Route<RecordRouteParts>[] = [...recordCrudRoutes, writeBatch, openStream, subscribe]
