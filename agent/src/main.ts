import { setFlagsFromString } from 'node:v8'
import { runProgram } from './program.ts'
import { endWithStarter } from './runtime/node/end-with-starter.ts'
import { nodeRuntime } from './runtime/node-runtime.ts'
import { hasNohup } from './runtime/node/nohup.ts'

// As options of the command line these would make V8 refuse the compiled code of Node's own modules.
setFlagsFromString('--optimize-for-size')
// V8 lets the heap grow by 9 MiB, which strangers' connections would fill with garbage; this begins to collect it after a fifth of that.
setFlagsFromString('--incremental-marking-hard-trigger=20')
// Optimised code takes 5 to 10 MiB and saves nothing: few functions of an agent run often enough to pay for their compilation.
setFlagsFromString('--no-turbofan')
setFlagsFromString('--no-maglev')
// The same for WebAssembly, the cipher of ssh2: its compiler would run at the thousandth call, after some 30 connections.
setFlagsFromString('--wasm-tiering-budget=2000000000')
setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000')
// `process.exit` waits for V8's threads. One that compiles may wait for the main thread to collect garbage, and then both wait for ever: 17 of
// 103 agents that were stopped right after their start, eight at once on two cores.
setFlagsFromString('--no-concurrent-sparkplug')
// Started with a channel, it stops as soon as the process that started it is gone. A listener alone would keep it running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// oxlint-disable-next-line node/no-process-env -- of this host alone: the native one reads it by itself
endWithStarter(Number(process.env['VEDETTE_ENDS_WITH']))
// oxlint-disable-next-line node/no-process-env -- of this host alone: the native one inherits the ignored signal
if (hasNohup(process.env['_'])) process.on('SIGHUP', () => undefined)
// A closed terminal takes no more text; that is no reason to end.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
await runProgram(nodeRuntime())
