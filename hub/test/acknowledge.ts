/**
 * Writes to the standard output of a process that will be killed. Resolves when the kernel has the text. Without waiting, the process
 * would keep what a slow reader has not taken in its memory, a kill would lose it, and less would be acknowledged than is stored.
 */
export const acknowledge = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()))
