/** Returns the lines of a text that contain the search text, ignoring case, as one text; the whole text for an empty search. */
export function matchingLines(text: string, search: string): string {
  const part = search.trim().toLocaleLowerCase()
  if (part === '') return text
  return text
    .split('\n')
    .filter((line) => line.toLocaleLowerCase().includes(part))
    .join('\n')
}
