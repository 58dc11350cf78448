import { isAdmin } from '../../records/model/stored-record.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { LogBook } from './log-book.ts'

/** Sends admins who watch the log the number of its last row. They query the new rows with their own filter. Returns the function that stops it. */
export function serveLogTail(realtime: Pick<Realtime, 'topic'>, book: Pick<LogBook, 'onStored' | 'setWatched'>): () => void {
  const send = realtime.topic({
    name: 'logs',
    authorise: async (actor) => isAdmin(actor),
    changed: (topics) => book.setWatched(topics.length > 0),
  })
  return book.onStored((last) => send({ last }))
}
