//! Direct access to the engine's memory.

use libc::{calloc, free, malloc, malloc_usable_size, realloc};
use rquickjs::allocator::Allocator;
use rquickjs::{Ctx, Module, Promise, Result, String as JsString, TypedArray};

/// Starts the script. The promise settles when the script's main module ends.
pub fn evaluate<'js>(ctx: &Ctx<'js>) -> Result<Promise<'js>> {
    let (_, promise) = load(ctx)?.eval()?;
    Ok(promise)
}

fn load<'js>(ctx: &Ctx<'js>) -> Result<Module<'js>> {
    let bytecode = include_bytes!(concat!(env!("OUT_DIR"), "/agent.bytecode"));
    // SAFETY: the bytes were written by this version of the engine when this program was built.
    unsafe { Module::load(ctx.clone(), bytecode) }
}

/// Block sizes to cache. The engine allocates blocks of these sizes again within one sample, and the C library would return each to the
/// kernel and fetch it again, cleared. The smallest is the stack of a backtracking pattern.
const KEPT_SIZES: std::ops::RangeInclusive<usize> = 1024..=32 * 1024;
/// Maximum size of all cached blocks.
const KEPT_BYTES: usize = 128 * 1024;

/// The C library's allocator with a cache of freed blocks.
#[derive(Default)]
pub struct KeptMemory {
    kept: Vec<(usize, *mut u8)>,
    kept_bytes: usize,
}

impl KeptMemory {
    fn take(&mut self, size: usize) -> Option<*mut u8> {
        if !KEPT_SIZES.contains(&size) {
            return None;
        }
        // A cached block is less than twice the requested size.
        let at = self.kept.iter().rposition(|&(usable, _)| usable >= size && usable < size * 2)?;
        let (usable, block) = self.kept.swap_remove(at);
        self.kept_bytes -= usable;
        Some(block)
    }
}

// SAFETY: every block is the C library's, and in one place only: the engine's, or among those kept, which are of the size they say.
unsafe impl Allocator for KeptMemory {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        // SAFETY: any size may be requested.
        self.take(size).unwrap_or_else(|| unsafe { malloc(size) }.cast())
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some((block, bytes)) = count.checked_mul(size).and_then(|bytes| Some((self.take(bytes)?, bytes))) else {
            // SAFETY: any size may be requested.
            return unsafe { calloc(count, size) }.cast();
        };
        // SAFETY: the block is ours alone, and no smaller.
        unsafe { block.write_bytes(0, bytes) };
        block
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: the caller's block is one of ours.
        let usable = unsafe { Self::usable_size(block) };
        if KEPT_SIZES.contains(&usable) && self.kept_bytes + usable <= KEPT_BYTES {
            self.kept_bytes += usable;
            self.kept.push((usable, block));
        } else {
            // SAFETY: nobody else has it.
            unsafe { free(block.cast()) }
        }
    }

    unsafe fn realloc(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        if block.is_null() {
            return self.alloc(size);
        }
        // SAFETY: the caller's block is one of ours.
        let usable = unsafe { Self::usable_size(block) };
        if usable < size
            && let Some(larger) = self.take(size)
        {
            // SAFETY: two blocks, neither smaller than what is copied; afterwards the caller has only the new one.
            unsafe {
                larger.copy_from_nonoverlapping(block, usable);
                self.dealloc(block);
            }
            return larger;
        }
        // SAFETY: the caller's block is one of ours, and afterwards the caller has only the new one.
        unsafe { realloc(block.cast(), size) }.cast()
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: the caller's block is one of ours.
        unsafe { malloc_usable_size(block.cast()) }
    }
}

/// Returns a copy of the array's bytes; empty for a detached buffer.
pub fn bytes_of(array: &TypedArray<'_, u8>) -> Vec<u8> {
    // SAFETY: no script runs while the slice is copied.
    unsafe { array.as_bytes() }.unwrap_or_default().to_vec()
}

/// True when two arrays contain equal bytes. Does not copy them.
pub fn are_equal(one: &TypedArray<'_, u8>, other: &TypedArray<'_, u8>) -> bool {
    // SAFETY: no script runs while the slices are compared.
    unsafe { one.as_bytes().unwrap_or_default() == other.as_bytes().unwrap_or_default() }
}

/// Converts an array's UTF-8 bytes into a text, without a leading byte order mark and with invalid sequences replaced. Does not copy the
/// bytes.
pub fn text_of<'js>(ctx: &Ctx<'js>, array: &TypedArray<'js, u8>) -> Result<JsString<'js>> {
    // SAFETY: no script runs while the text is made of the slice.
    let bytes = unsafe { array.as_bytes() }.unwrap_or_default();
    JsString::from_str(ctx.clone(), &String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_handed_out_again_up_to_a_limit() {
        let mut memory = KeptMemory::default();
        let block = memory.alloc(4096);
        // SAFETY: each block is given back once.
        unsafe { memory.dealloc(block) };
        assert_eq!(memory.alloc(4000), block);
        assert_eq!((memory.kept.len(), memory.kept_bytes), (0, 0));
        let small = memory.alloc(100);
        let blocks: Vec<_> = (0..100).map(|_| memory.alloc(8000)).collect();
        for block in blocks.into_iter().chain([block, small]) {
            // SAFETY: each block is given back once.
            unsafe { memory.dealloc(block) };
        }
        assert!(memory.kept_bytes <= KEPT_BYTES && !memory.kept.is_empty());
        // A request that would waste half of a cached block is allocated separately.
        assert!(memory.take(2048).is_none());
    }

    #[test]
    fn what_is_handed_out_again_is_cleared_where_that_is_asked_and_what_grows_keeps_its_bytes() {
        let mut memory = KeptMemory::default();
        let block = memory.alloc(3000);
        // SAFETY: each block is read and written within its size, and given back once.
        unsafe {
            block.write_bytes(7, 3000);
            memory.dealloc(block);
            let cleared = memory.calloc(25, 100);
            assert_eq!(cleared, block);
            assert!(std::slice::from_raw_parts(cleared, 2500).iter().all(|&byte| byte == 0));
            let small = memory.realloc(std::ptr::null_mut(), 100);
            small.write_bytes(9, 100);
            memory.dealloc(cleared);
            let grown = memory.realloc(small, 2900);
            assert_eq!(grown, block);
            assert!(std::slice::from_raw_parts(grown, 100).iter().all(|&byte| byte == 9));
            memory.dealloc(grown);
        }
    }
}
