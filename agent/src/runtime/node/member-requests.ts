import type { Bytes, HttpEvent, HttpRequest, Member, MembersAnswer, MembersRequest } from '../runtime.ts'
import { membersAt } from './json-members.ts'

export type MemberRequestParts = {
  readonly ask: (request: HttpRequest, emit: (event: HttpEvent) => void) => void
  /** Function that calls `action` once after `ms` milliseconds. It returns a function that cancels the call. */
  readonly after: (ms: number, action: () => void) => () => void
  readonly nowMs: () => number
  readonly fromUtf8: (bytes: Bytes) => string
}

export type MemberRequests = (request: MembersRequest, tell: (answers: readonly MembersAnswer[]) => void) => void

/**
 * Creates the runtime's function `httpMembers` from its HTTP client. That function sends many requests, at most `atOnce` at a time, and
 * reports all results in one call of `tell`.
 */
export function memberRequests({ ask, after, nowMs, fromUtf8 }: MemberRequestParts): MemberRequests {
  const answerOf = (event: HttpEvent, members: readonly string[]): MembersAnswer => {
    const endedAtMs = nowMs()
    if (event.kind === 'failed') return { ...event, endedAtMs }
    if (event.kind !== 'answer') return { kind: 'failed', reason: 'the answer came in pieces', endedAtMs }
    if (event.status !== 200) return { kind: 'refused', status: event.status, endedAtMs }
    const values = parsedMembers(fromUtf8(event.body), members)
    return values === undefined ? { kind: 'failed', reason: 'the answer is not JSON', endedAtMs } : { kind: 'members', values, endedAtMs }
  }

  return ({ to, headers, paths, members, atOnce, maxBytes, deadlineMs, totalMs }, tell) => {
    const answers: (MembersAnswer | undefined)[] = paths.map(() => undefined)
    const waiting = paths.entries()
    let unanswered = paths.length
    let isOver = false
    const finish = (): void => {
      if (isOver) return
      isOver = true
      cancel()
      const late: MembersAnswer = { kind: 'failed', reason: `no answer within ${totalMs} ms`, endedAtMs: nowMs() }
      tell(answers.map((answer) => answer ?? late))
    }
    const askNext = (): void => {
      const next = isOver ? undefined : waiting.next().value
      if (next === undefined) return
      const [place, path] = next
      ask({ to, method: 'GET', path, headers, maxBytes, deadlineMs }, (event) => {
        if (isOver) return
        answers[place] = answerOf(event, members)
        unanswered -= 1
        if (unanswered === 0) finish()
        else askNext()
      })
    }
    const cancel = after(paths.length === 0 ? 0 : totalMs, finish)
    for (let begun = 0; begun < Math.min(atOnce, paths.length); begun++) askNext()
  }
}

function parsedMembers(text: string, members: readonly string[]): readonly Member[] | undefined {
  try {
    return membersAt(JSON.parse(text), members)
  } catch {
    return undefined
  }
}
