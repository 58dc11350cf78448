import { tagsIn } from '../format/tag-text.ts'

/** State of a form field for several tags: the chosen tags, and the text typed so far that is not yet one of them. */
export type TagChoice = { readonly tags: readonly string[]; readonly typed: string }

export const noTagChoice: TagChoice = { tags: [], typed: '' }

/** Returns the state of a tag field after the tags in `text` (separated by commas) were added; the typed text is then empty. */
export const chooseTags = ({ tags }: TagChoice, text: string): TagChoice => ({ tags: [...new Set([...tags, ...tagsIn(text)])], typed: '' })
