import { tagsIn } from '../format/tag-text.ts'

/** Tags that a user chose in a field, and the text in it that is not among them yet. */
export type TagChoice = { readonly tags: readonly string[]; readonly typed: string }

export const noTagChoice: TagChoice = { tags: [], typed: '' }

/** Returns the choice with the tags of a text, and an empty field. */
export const chooseTags = ({ tags }: TagChoice, text: string): TagChoice => ({ tags: [...new Set([...tags, ...tagsIn(text)])], typed: '' })
