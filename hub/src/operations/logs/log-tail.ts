import { isAdmin } from '../../records/model/stored-record.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { LogBook } from './log-book.ts'

/**
 * Publishes the row number of the newest log entry to admins who view the log live, after each stored batch. Their clients then query the
 * new rows. Returns a function that stops it.
 */
export function serveLogTail(realtime: Pick<Realtime, 'topic'>, book: Pick<LogBook, 'onStored' | 'setWatched'>): () => void {
  const send = realtime.topic({
    name: 'logs',
    authorise: async (actor) => isAdmin(actor),
    changed: (topics) => book.setWatched(topics.length > 0),
  })
  return book.onStored((last) => send({ last }))
}
