import { MOST_TAGS, normalTag, parseSources, tagFields, tagProblem, tagSources, type SourcedTag, type TagSource } from './tag.ts'
import type { RecordValues } from './record-store.ts'
import type { StoredRecord } from './stored-record.ts'

/**
 * Returns a system's tags after one source, such as the agent, has sent its complete list (`texts`). Texts that are no valid tags are left
 * out, and so are tags beyond {@link MOST_TAGS} in total. Tags of other sources stay.
 */
export function reportTags(before: readonly SourcedTag[], source: TagSource, texts: readonly string[]): readonly SourcedTag[] {
  const sources = new Map<string, readonly TagSource[]>()
  for (const { tag, sources: known } of before) {
    const others = known.filter((one) => one !== source)
    if (others.length > 0) sources.set(tag, others)
  }
  for (const text of texts.slice(0, MOST_TEXTS)) {
    const tag = normalTag(text)
    const others = sources.get(tag)
    const isRoom = others !== undefined || sources.size < MOST_TAGS
    if (isRoom && tagProblem(tag) === undefined) sources.set(tag, [...(others ?? []), source])
  }
  return [...sources].map(([tag, known]) => ({ tag, sources: tagSources.filter((one) => known.includes(one)) }))
}

/** Maximum number of texts that the hub reads from an agent's list of tags: 1,000; further ones are ignored. */
const MOST_TEXTS = 1000

/**
 * Returns the fields of a system's record (`tags`, `tagSources`, `accessTags`) that change when a source, such as the agent, sends its
 * complete list of tags. `{}` if no tag changes.
 */
export function reportedTagFields(system: StoredRecord, source: TagSource, texts: readonly string[]): RecordValues {
  const before = parseSources(system['tagSources'])
  const fields = tagFields(reportTags(before, source, texts))
  return JSON.stringify(fields.tagSources) === JSON.stringify(tagFields(before).tagSources) ? {} : fields
}
