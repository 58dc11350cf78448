import { listOf, numberOf, recordOf, textOf, type JsonRecord } from '../../api/json.ts'

/**
 * Formats rate limit rules as text, one line per rule: label, requests per seconds, and audience if any, as in `POST /api/batch 3/1s
 * @guest`.
 */
export const rateRulesText = (rules: unknown): string =>
  listOf(rules)
    .map((rule) => {
      const { label, maxRequests, duration, audience } = recordOf(rule)
      const limit = `${numberOf(maxRequests) ?? ''}/${numberOf(duration) ?? ''}s`
      return [textOf(label), limit, textOf(audience)].filter((part) => part !== undefined).join(' ')
    })
    .join('\n')

/**
 * Parses rate limit rules from text, one line per rule, to a list. A line that cannot be parsed becomes a rule whose numbers are null,
 * which the hub rejects with a reason.
 */
export const rateRulesIn = (text: string): readonly JsonRecord[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')
    .map((line) => {
      const [, label, most, seconds, audience = ''] = /^(.+) (\d+)\/(\d+) ?s?(?: (@\w+))?$/.exec(line) ?? []
      if (label === undefined) return { label: line, audience: '', maxRequests: null, duration: null }
      return { label, audience, maxRequests: Number(most), duration: Number(seconds) }
    })
