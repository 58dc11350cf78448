import { isAdmin } from '../../records/model/actor.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { LogBook } from './log-book.ts'

/** Tells admins who watch that something was written, and up to which number: what it is they ask for with their filter. Returns the undo. */
export function serveLogTail(realtime: Pick<Realtime, 'topic'>, book: Pick<LogBook, 'onStored' | 'hurry'>): () => void {
  const send = realtime.topic({
    name: 'logs',
    authorise: async (actor) => isAdmin(actor),
    changed: (topics) => book.hurry(topics.length > 0),
  })
  return book.onStored((last) => send({ last }))
}
