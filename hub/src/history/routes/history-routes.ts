import type { Route } from '../../http/routing/define-route.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { History } from '../model/history.ts'
import { readHistory } from './history.ts'
import { changeRetention, readRetention } from './retention.ts'

export type HistoryRouteParts = { readonly engine: Engine; readonly access: Access; readonly history: History }

/** List of the HTTP routes of the history: reading time ranges of a system, and the retention settings. */
export const historyRoutes: readonly Route<HistoryRouteParts>[] = [readHistory, readRetention, changeRetention]
