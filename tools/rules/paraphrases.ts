/**
 * Map from a vague word, forbidden in comments and names by a style rule, to the technical terms to use in its place. Entries are never
 * removed.
 */
export const paraphrases: ReadonlyMap<string, string> = new Map([
  ['told', 'notified, reported, sent'],
  ['heard', 'received'],
  ['asked', 'requested'],
  ['whoever', 'the caller, the user'],
  ['stretch', 'time range'],
  ['stretches', 'time ranges'],
  ['worth', 'useful'],
  ['anew', 'again'],
  ['goes on', 'continues'],
  ['gives back', 'returns, releases'],
  ['takes back', 'undoes'],
  ['hands on', 'forwards'],
  ['lets in', 'accepts'],
  ['is none of', 'is not one of'],
  ['thinks up', 'chooses'],
])

/** Returns the first forbidden word (key of `paraphrases`) in a text outside code spans, in lower case; `undefined` when there is none. */
export const paraphraseIn = (text: string): string | undefined => pattern.exec(text.replaceAll(/`[^`]*`/g, ''))?.[1]?.toLowerCase()

const pattern = new RegExp(`\\b(${[...paraphrases.keys()].join('|')})\\b`, 'i')
