/** Map from a paraphrase (a word to avoid in comments and names) to the term of the field to use in its place. The list only grows. */
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

/** Returns the first paraphrase (word to avoid) in a text outside code spans, in lower case; `undefined` when there is none. */
export const paraphraseIn = (text: string): string | undefined => pattern.exec(text.replaceAll(/`[^`]*`/g, ''))?.[1]?.toLowerCase()

const pattern = new RegExp(`\\b(${[...paraphrases.keys()].join('|')})\\b`, 'i')
