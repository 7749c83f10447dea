internal import Foundation

/// The file system of the machine.
struct SystemFiles: FileOperations {
    func status(of path: String) throws -> FileStatus? {
        var status = stat()
        if stat(path, &status) == 0 { return FileStatus(status) }
        guard errno == ENOENT else { throw FileFault.last }
        return nil
    }

    func read(_ path: String, limit: Int) throws -> (Data, FileStatus)? {
        // Without blocking: a pipe of that name would wait for a writer.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFault.last
        }
        defer { close(file) }
        let status = try status(of: file)
        guard status.isFile else { throw FileFault.notAFile }
        guard status.size <= limit else { throw FileFault.tooLarge(status.size) }
        // A file may claim any size.
        let size = min(max(status.size, 0), 1 << 20)
        var data = Data(capacity: size)
        var chunk = [UInt8](repeating: 0, count: max(size + 1, 512))
        while true {
            let count = Foundation.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault.last }
            guard count > 0 else { return (data, status) }
            data.append(contentsOf: chunk[..<count])
            guard data.count <= limit else { throw FileFault.tooLarge(data.count) }
        }
    }

    func create(_ path: String, permissions: UInt16) throws -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
        guard file >= 0 else { throw FileFault.last }
        // Regardless of the mask of the process; some file systems have no permissions.
        fchmod(file, mode_t(permissions))
        return file
    }

    func write(_ data: Data, to file: Int32) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let chunk = [UInt8](rest.prefix(1 << 20))
            let count = Foundation.write(file, chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault.last }
            rest = rest.dropFirst(count)
        }
    }

    func setDate(_ date: Date, of file: Int32) throws {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let nanoseconds = (date.timeIntervalSince1970 - seconds) * 1_000_000_000
        guard let whole = Int(exactly: seconds) else { return }
        let time = timespec(tv_sec: whole, tv_nsec: Int(nanoseconds))
        guard futimens(file, [time, time]) == 0 else { throw FileFault.last }
    }

    func sync(_ file: Int32) throws -> FileStatus {
        try fullSync(file)
        return try status(of: file)
    }

    func close(_ file: Int32) { _ = Foundation.close(file) }

    func rename(_ path: String, to other: String) throws {
        guard Foundation.rename(path, other) == 0 else { throw FileFault.last }
    }

    func link(_ path: String, as other: String) throws {
        if Foundation.link(path, other) == 0 { return }
        guard errno != EEXIST else { throw FileFault.last }
        try rename(path, to: other)
    }

    func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileFault.last }
    }

    func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFault.last }
    }

    func syncFolder(_ path: String) throws {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FileFault.last }
        defer { close(folder) }
        do {
            try fullSync(folder)
        } catch FileFault.system(let code) where [EINVAL, ENOTSUP].contains(code) {
            // Some file systems cannot sync a folder.
        }
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    private func status(of file: Int32) throws -> FileStatus {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileFault.last }
        return FileStatus(status)
    }

    private func fullSync(_ file: Int32) throws {
        #if canImport(Darwin)
            // Elsewhere `fsync` empties the cache of the disk, too.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(file) == 0 else { throw FileFault.last }
    }
}

extension FileStatus {
    init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        func nanoseconds(_ time: timespec) -> Int64 {
            (Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue)
                &+ Int64(time.tv_nsec)
        }
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino),
            size: Int(status.st_size), modified: nanoseconds(modified), changed: nanoseconds(changed),
            permissions: UInt16(truncatingIfNeeded: status.st_mode & 0o777),
            isFile: status.st_mode & S_IFMT == S_IFREG)
    }
}
