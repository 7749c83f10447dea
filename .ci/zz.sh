source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
eval "$(sed -n '/^libraries_alone()/,/^}/p' .ci/run)"
libraries_alone .build/tsan-libraries/package
grep -rlE '@Suite' .build/tsan-libraries/package/Tests | wc -l
cat $(find .build/tsan-libraries/package/Tests -name '*.swift') | wc -l
time swift build --build-tests --sanitize=thread --package-path .build/tsan-libraries/package --scratch-path .build/tsan-libraries/build --disable-index-store 2>&1 | grep -E "error|Compiling|Build" | tail -12
